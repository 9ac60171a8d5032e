"""Secrets of clouds, their databases and their vaults."""

from __future__ import annotations

from experience.capture.secret_kinds.shape import UUID, Kind, near, prefixed

CLOUDS = (
    prefixed(
        "aws-access-key", "AWS access key id", "akia asia abia acca", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16,}",
        "AKIA<16 upper>", "ASIA<16 upper>",
    ),
    near(
        "aws-secret-key", "AWS secret access key", r"aws secret_?access_?key secret.access.key",
        r"[A-Za-z0-9/+]{40}(?:==)?", "aws_secret_access_key = <40 base64>", "AWS secret: <40 base64>",
        '{"SecretAccessKey": "<40 base64>"}',
    ),
    prefixed(
        "aws-session-token", "AWS session token", "iqoj fwog fqog", r"(?:IQoJ|FwoG|FQoG)[A-Za-z0-9/+]{60,}={0,2}",
        "IQoJ<120 base64>", "FwoG<120 base64>",
    ),
    prefixed(
        "aws-bedrock-key", "AWS Bedrock API key", "absk bedrock-api-key-",
        r"(?:ABSK[A-Za-z0-9+/]{80,}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{40,}={0,2})", "ABSK<112>",
    ),
    prefixed("gcp-api-key", "Google API key", "aiza", r"AIza[\w-]{35,}", "AIza<35 url>"),
    near(
        "gcp-service-account", "id of a Google service account's key", "private_key_id", r"[0-9a-f]{40}",
        '{"private_key_id": "<40 hex>"}', "private_key_id: <40 hex>",
    ),
    prefixed(
        "google-oauth-token", "Google OAuth token", "ya29. 1//0", r"(?:ya29\.[\w.-]{20,}|1//0[\w-]{30,})",
        "ya29.<60 url>", "1//0<60 url>",
    ),
    prefixed("google-oauth-secret", "Google OAuth client secret", "gocspx-", r"GOCSPX-[\w-]{20,}", "GOCSPX-<28 url>"),
    near(
        "azure-storage-key", "Azure storage or service key", "accountkey sharedaccesskey sharedsecretkey",
        r"[A-Za-z0-9+/]{40,}={0,2}",
        "DefaultEndpointsProtocol=https;AccountName=files;AccountKey=<86 base64>==;EndpointSuffix=core.windows.net",
        "Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=<43 base64>=",
    ),
    Kind(
        name="azure-sas", what="signature of an Azure shared access link", triggers=("sig=",),
        pattern=r"(?i:[?&;]sig=|SharedAccessSignature=[^\s\"']{0,200}?sig=)(?P<s1>[A-Za-z0-9%+/]{30,}={0,2})",
        examples=("https://files.blob.core.windows.net/box/a.txt?sv=2024-01-01&sp=r&sig=<43 base64>%3D",),
    ),
    prefixed("azure-client-secret", "Azure AD client secret", "q~", r"[\w~.-]{3}[0-9]Q~[\w~.-]{31,}", "<3>8Q~<34 url>"),
    near(
        "azure-devops-token", "Azure DevOps token", "azure_?devops azdo vsts",
        r"(?:[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})", "AZDO_TOKEN=<52 base32>",
        "AZURE_DEVOPS_PAT: <52 base32>",
    ),
    prefixed(
        "digitalocean-token", "DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64,}",
        "dop_v1_<64 hex>", "doo_v1_<64 hex>",
    ),
    near(
        "heroku-key", "Heroku API key", "heroku", rf"(?:{UUID}|HRKU-[\w-]{{30,}})", "HEROKU_API_KEY=<uuid>",
        "heroku: <uuid>", "heroku api key is <uuid>",
    ),
    prefixed(
        "fly-token", "Fly.io token", "flyv1 fo1_ fm2_ fm1",
        r"(?:(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/,_=-]{60,}|fo1_[\w-]{40,})", "FlyV1 fm2_<120 base64>", "fo1_<43 url>",
    ),
    near(
        "vercel-token", "Vercel token", "vercel", r"(?:vc[a-z]_)?[A-Za-z0-9]{24,64}", "VERCEL_TOKEN=<24>",
        'vercel_token: "<24>"', '{"vercel-token": "<24>"}',
    ),
    prefixed("netlify-token", "Netlify token", "nfp_ nfc_ nfu_", r"nf[pcu]_[A-Za-z0-9_-]{36,}", "nfp_<40>"),
    near(
        "cloudflare-token", "Cloudflare key or token", "cloudflare cf_api", r"(?:[A-Za-z0-9_-]{40}|[a-f0-9]{37})",
        "CLOUDFLARE_API_TOKEN=<40 url>", 'cf_api_key = "<37 hex>"',
    ),
    prefixed(
        "cloudflare-origin-key", "Cloudflare origin CA key", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{140,}",
        "v1.0-<24 hex>-<146 hex>",
    ),
    prefixed("alibaba-key", "Alibaba Cloud access key", "ltai", r"LTAI[A-Za-z0-9]{12,}", "LTAI<20>"),
    prefixed("tencent-key", "Tencent Cloud secret id", "akid", r"AKID[A-Za-z0-9]{32,}", "AKID<32>"),
    prefixed(
        "yandex-key", "Yandex Cloud key", "aqvn t1.9eu", r"(?:AQVN[\w-]{35,}|t1\.9eu[\w-]{1,8}\.[\w-]{80,})",
        "AQVN<36 url>",
    ),
    near(
        "linode-token", "Linode or Hetzner token", "linode hcloud hetzner", r"[A-Za-z0-9]{64}", "HCLOUD_TOKEN=<64>",
        "linode token: <64 hex>",
    ),
    prefixed(
        "databricks-token", "Databricks token", "dapi", r"dapi[a-f0-9]{32,}(?:-\d)?", "dapi<32 hex>", "dapi<32 hex>-2",
    ),
    prefixed(
        "supabase-key", "Supabase key", "sbp_ sb_secret_", r"(?:sbp_(?:v0_)?[a-f0-9]{40,}|sb_secret_[\w-]{20,})",
        "sbp_<40 hex>", "sb_secret_<31 url>",
    ),
    prefixed(
        "planetscale-token", "PlanetScale token or password", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.=-]{30,}",
        "pscale_tkn_<43 url>", "pscale_pw_<43 url>",
    ),
    prefixed(
        "neon-key", "Neon key", "napi_ npg_", r"(?:napi_[a-z0-9]{40,}|npg_[A-Za-z0-9]{12,})", "napi_<64 lower>",
        "npg_<16>",
    ),
    prefixed("pulumi-token", "Pulumi token", "pul-", r"pul-[a-f0-9]{40,}", "pul-<40 hex>"),
    prefixed(
        "terraform-token", "Terraform Cloud token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{50,}",
        "<14>.atlasv1.<67 url>",
    ),
    prefixed(
        "vault-token", "HashiCorp Vault token", "hvs. hvb. hvr. s.",
        r"(?:hv[sbr]\.[\w-]{24,}|(?<![\w.])s\.(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{24}(?![\w.]))", "hvs.<95 url>",
        "hvb.<140 url>",
    ),
    prefixed(
        "doppler-token", "Doppler token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,}", "dp.pt.<43>", "dp.st.prd.<43>",
    ),
    prefixed(
        "onepassword-token", "1Password service account token", "ops_eyj", r"ops_eyJ[\w+/-]{60,}={0,2}",
        "ops_eyJ<200>",
    ),
    prefixed(
        "age-key", "age secret key", "age-secret-key-1", r"(?i:AGE-SECRET-KEY-1[0-9A-Z]{50,})",
        "AGE-SECRET-KEY-1<58 upper>",
    ),
)  # fmt: skip
