"""Secrets of services: messages, payments, networks, observation, identity."""

from __future__ import annotations

from experience.capture.secret_kinds.shape import UUID, near, prefixed

SERVICES = (
    prefixed(
        "slack-token", "Slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe xoxc- xoxd- xapp-",
        r"(?:xox[abporscde](?:\.xox[bp])?-[A-Za-z0-9%-]{20,}|xapp-\d-[A-Za-z0-9-]{30,})",
        "xoxb-<12 digits>-<12 digits>-<24>", "xoxp-<12 digits>-<12 digits>-<12 digits>-<32 hex>",
        "xapp-1-A<10 upper>-<13 digits>-<64 hex>",
    ),
    prefixed(
        "slack-webhook", "Slack webhook", "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s1>[A-Za-z0-9+/_-]{20,})",
        "https://hooks.slack.com/services/T<10 upper>/B<10 upper>/<24>",
    ),
    prefixed(
        "discord-webhook", "Discord webhook", "/api/webhooks/ /api/v",
        r"discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{3,25}/(?P<s1>[\w-]{30,})",
        "https://discord.com/api/webhooks/777/<68 url>",
    ),
    prefixed(
        "discord-bot-token", "Discord bot token", ".",
        r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}", "M<25>.<6>.<38 url>",
    ),
    prefixed(
        "telegram-bot-token", "Telegram bot token", ":aa", r"(?:bot)?(?P<s1>\d{8,10}:AA[\w-]{32,33})(?![\w-])",
        "<10 digits>:AA<33 url>", "https://api.telegram.org/bot<10 digits>:AA<33 url>/getMe",
    ),
    prefixed(
        "teams-webhook", "Microsoft Teams webhook", ".webhook.office.com",
        r"webhook\.office\.com/webhookb2/(?P<s1>[\w@-]{36,}/IncomingWebhook/[\w/-]{40,})",
        "https://x.webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/<32 hex>/<uuid>",
    ),
    prefixed("twilio-key", "Twilio API key", "sk", r"SK[0-9a-f]{32}(?![A-Za-z0-9])", "SK<32 hex>"),
    near(
        "twilio-auth-token", "Twilio auth token", "twilio", r"[0-9a-f]{32}", "TWILIO_AUTH_TOKEN=<32 hex>",
        'twilio_token = "<32 hex>"',
    ),
    prefixed("sendgrid-key", "SendGrid key", "sg.", r"SG\.[\w-]{16,}\.[\w-]{30,}", "SG.<22 url>.<43 url>"),
    prefixed(
        "mailgun-key", "Mailgun key", "key- mailgun",
        r"(?:key-[0-9a-f]{32}|(?P<s1>[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}))(?![A-Za-z0-9])", "key-<32 hex>",
        "mailgun <32 hex>-<8 hex>-<8 hex>",
    ),
    prefixed("mailchimp-key", "Mailchimp key", "-us", r"[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])", "<32 hex>-us14"),
    prefixed(
        "brevo-key", "Brevo key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
        "xkeysib-<64 hex>-<16>",
    ),
    prefixed("resend-key", "Resend key", "re_", r"re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}", "re_<8>_<24>"),
    near(
        "postmark-token", "Postmark, Mailjet or Pushover token", "postmark mailjet pushover",
        rf"(?:{UUID}|[a-z0-9]{{30,32}})", "POSTMARK_SERVER_TOKEN=<uuid>", "MAILJET_SECRET_KEY=<32 hex>",
    ),
    prefixed(
        "stripe-key", "Stripe key or webhook secret", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sk_org_",
        r"(?:[sr]k_(?:live|test|org|prod)_[A-Za-z0-9_]{16,}|whsec_[A-Za-z0-9+/=]{24,})", "sk_live_<24>",
        "rk_live_<99>", "sk_test_<24>", "whsec_<32>",
    ),
    prefixed(
        "square-token", "Square token", "sq0atp- sq0csp- eaaa", r"(?:sq0[ac][ts]p-[\w-]{22,}|EAAA[\w-]{60})",
        "sq0atp-<22 url>", "sq0csp-<43 url>", "EAAA<60 url>",
    ),
    prefixed(
        "braintree-token", "PayPal or Braintree access token", "access_token$",
        r"access_token\$(?:production|sandbox)\$[a-z0-9]{13,}\$[a-f0-9]{32}",
        "access_token$production$<16 lower>$<32 hex>",
    ),
    near(
        "paypal-secret", "PayPal client secret", "paypal braintree", r"[A-Za-z0-9_-]{32,80}",
        "PAYPAL_CLIENT_SECRET=E<79 url>", "braintree_private_key: <32 hex>",
    ),
    prefixed(
        "shopify-token", "Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32,}",
        "shpat_<32 hex>", "shpss_<32 hex>",
    ),
    prefixed(
        "plaid-token", "Plaid token", "access-sandbox- access-production- access-development-",
        rf"access-(?:sandbox|development|production)-{UUID}", "access-production-<uuid>",
    ),
    prefixed(
        "razorpay-key", "Razorpay or Flutterwave key", "rzp_live_ rzp_test_ flwseck",
        r"(?:rzp_(?:live|test)_[A-Za-z0-9]{14,}|FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}-X?)", "rzp_live_<14>",
        "FLWSECK-<32 hex>-X",
    ),
    prefixed(
        "easypost-key", "EasyPost or Shippo key", "ezak ezta shippo_",
        r"(?:EZ[AT][KA][A-Za-z0-9]{54}|shippo_(?:live|test)_[a-f0-9]{40})", "EZAK<54>", "shippo_live_<40 hex>",
    ),
    prefixed(
        "facebook-token", "Facebook or Instagram token", "eaa igqv igaa",
        r"(?:EAA[A-Za-z0-9]{60,}|IG(?:QV|AA)[\w-]{60,})", "EAA<120>", "IGQV<120 url>",
    ),
    prefixed(
        "twitter-bearer", "Twitter bearer token", "aaaaaaaaaaaaaaaaaaaaa", r"A{21}[A-Za-z0-9%]{40,}",
        "AAAAAAAAAAAAAAAAAAAAA<24>%3D<50>",
    ),
    near(
        "linkedin-secret", "LinkedIn or Twitter client secret", "linkedin twitter",
        r"(?:WPL_AP1\.[\w.+/=]{16,}|[A-Za-z0-9]{16,80})", "LINKEDIN_CLIENT_SECRET=<16>", "TWITTER_API_SECRET=<50>",
        'linkedin-secret: "WPL_AP1.<16>"',
    ),
    prefixed("dropbox-token", "Dropbox token", "sl.", r"sl\.(?:u\.)?[\w-]{100,}", "sl.<140 url>", "sl.u.<140 url>"),
    near(
        "datadog-key", "Datadog key", "datadog dd_api dd_app dd-api-key dd-application-key",
        r"(?:[a-f0-9]{40}|[a-f0-9]{32})", "DD_API_KEY=<32 hex>", "datadog_app_key: <40 hex>", "DD-API-KEY: <32 hex>",
    ),
    prefixed(
        "newrelic-key", "New Relic key", "nrak- nrii- nrra- nrjs- nral nrdp", r"NR(?:AK|II|RA|JS|SP|IQ)-[\w-]{19,}",
        "NRAK-<27 upper>", "NRII-<32>",
    ),
    near(
        "newrelic-license", "New Relic license key", "new_?relic newrelic", r"(?:[a-f0-9]{36}NRAL|[a-f0-9]{40})",
        "NEW_RELIC_LICENSE_KEY=<36 hex>NRAL",
    ),
    prefixed(
        "sentry-dsn", "key in a Sentry DSN", "sentry",
        r"https?://(?P<s1>[0-9a-f]{32}(?::[0-9a-f]{32})?)(?=@[\w.-]{0,80}\b)",
        "https://<32 hex>@o777.ingest.sentry.io/42",
    ),
    prefixed(
        "sentry-token", "Sentry token", "sntrys_ sntryu_", r"sntry[su]_[\w=+/]{40,}", "sntrys_<140>",
        "sntryu_<64 hex>",
    ),
    near(
        "pagerduty-key", "PagerDuty or Opsgenie key", "pagerduty pager_duty pd_api opsgenie",
        rf"(?:{UUID}|[a-f0-9]{{32}}|[A-Za-z0-9+_-]{{20}})", "PAGERDUTY_TOKEN=<20>", "pagerduty_key: u+<18>",
        "OPSGENIE_API_KEY=<uuid>",
    ),
    prefixed(
        "grafana-token", "Grafana token", "glc_ glsa_ eyjrijoi",
        r"(?:glc_[A-Za-z0-9+/]{32,}={0,2}|glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}|eyJrIjoi[A-Za-z0-9+/]{40,}={0,2})",
        "glc_<120>", "glsa_<32>_<8 hex>", "eyJrIjoi<80>",
    ),
    prefixed("honeycomb-key", "Honeycomb key", "hcaik_ hcalk_ hcamk_", r"hca[ilm]k_[a-z0-9]{26,}", "hcaik_<58 lower>"),
    prefixed("posthog-key", "PostHog key", "phx_ phs_", r"ph[xs]_[A-Za-z0-9]{40,}", "phx_<43>"),
    prefixed("launchdarkly-key", "LaunchDarkly key", "sdk- api-", rf"(?:sdk|api)-{UUID}", "sdk-<uuid>", "api-<uuid>"),
    prefixed(
        "dynatrace-token", "Dynatrace token", "dt0", r"dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}",
        "dt0c01.<24 upper>.<64 upper>",
    ),
    near(
        "splunk-token", "Splunk, Rollbar, Algolia or Elastic key", "splunk rollbar algolia elastic",
        rf"(?:{UUID}|[A-Za-z0-9=+/_-]{{32,80}})", "SPLUNK_HEC_TOKEN=<uuid>", "ALGOLIA_ADMIN_KEY=<32 hex>",
    ),
    prefixed("mapbox-token", "Mapbox secret token", "sk.eyj", r"sk\.eyJ[\w-]{40,}\.[\w-]{16,}", "sk.eyJ<80>.<22 url>"),
    near(
        "okta-token", "Okta or Auth0 token", "okta auth0 ssws", r"(?:00[\w-]{40}|[\w-]{64})",
        "OKTA_API_TOKEN=00<40 url>", "AUTH0_CLIENT_SECRET=<64 url>",
    ),
    prefixed(
        "okta-header", "Okta token in a header", "ssws", r"SSWS (?P<s1>[\w-]{20,})", "Authorization: SSWS 00<40 url>",
    ),
    prefixed("hubspot-token", "HubSpot token", "pat-na pat-eu", rf"pat-(?:na|eu)\d-{UUID}", "pat-na1-<uuid>"),
    prefixed("salesforce-token", "Salesforce session", "00d", r"00D[A-Za-z0-9]{9,15}![\w.]{80,}", "00D<12>!<96>"),
    prefixed("contentful-token", "Contentful token", "cfpat-", r"CFPAT-[\w-]{40,}", "CFPAT-<43 url>"),
    prefixed("typeform-token", "Typeform token", "tfp_", r"tfp_[\w.=-]{40,}", "tfp_<44>"),
    near(
        "zendesk-token", "Zendesk, Zoom or Asana token", "zendesk zoom asana intercom",
        r"(?:\d/\d{10,20}:)?[A-Za-z0-9=+/]{32,80}", "ZENDESK_API_TOKEN=<40>", "asana_token: 1/<16 digits>:<32 hex>",
    ),
)  # fmt: skip
