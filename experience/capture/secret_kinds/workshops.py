"""Secrets of the places where software and models are made: code hosts, registries, builds, model providers."""

from __future__ import annotations

from experience.capture.secret_kinds.shape import UUID, near, prefixed

WORKSHOPS = (
    prefixed(
        "github-token", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"(?:gh[pousr]_[A-Za-z0-9_]{30,}|github_pat_\w{40,})", "ghp_<36>", "gho_<36>", "ghu_<36>", "ghs_<36>",
        "ghr_<76>", "github_pat_<22>_<59>",
    ),
    prefixed(
        "gitlab-token", "GitLab token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- gr1348941",
        r"(?:gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[\w.-]{20,}|GR1348941[\w-]{20,})", "glpat-<20 url>",
        "gldt-<20 url>", "glrt-<20 url>",
    ),
    prefixed(
        "bitbucket-token", "Bitbucket token", "atbb atctt3", r"AT(?:BB|CTT3)[A-Za-z0-9=_-]{28,}", "ATBB<32>",
        "ATCTT3<180 url>",
    ),
    prefixed("atlassian-token", "Atlassian API token", "atatt3", r"ATATT3[\w=-]{40,}", "ATATT3<180 url>"),
    prefixed(
        "npm-token", "npm token", "npm_", r"npm_[A-Za-z0-9]{36,}", "npm_<36>",
        "//npm.example.org/:_authToken=npm_<36>",
    ),
    prefixed("pypi-token", "PyPI token", "pypi-", r"pypi-[\w-]{50,}", "pypi-AgEIcHlwaS5vcmc<90 url>"),
    prefixed("rubygems-key", "RubyGems key", "rubygems_", r"rubygems_[a-f0-9]{48,}", "rubygems_<48 hex>"),
    prefixed("nuget-key", "NuGet key", "oy2", r"oy2[a-z0-9]{43}(?![A-Za-z0-9])", "oy2<43 lower>"),
    prefixed("crates-token", "crates.io token", "cio", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])", "cio<32>"),
    prefixed("clojars-token", "Clojars token", "clojars_", r"(?i:CLOJARS_[a-z0-9]{60,})", "CLOJARS_<60 hex>"),
    prefixed(
        "docker-token", "Docker Hub token", "dckr_pat_ dckr_oat_", r"dckr_[po]at_[\w-]{20,}", "dckr_pat_<27 url>",
        "dckr_oat_<32 url>",
    ),
    prefixed(
        "jfrog-key", "JFrog key", "akcp cmvmdgtu", r"(?:AKCp[A-Za-z0-9]{50,}|cmVmdGtu[A-Za-z0-9]{40,})", "AKCp<69>",
        "cmVmdGtu<56>",
    ),
    prefixed(
        "circleci-token", "CircleCI token", "ccipat_ cciprj_", r"CCI(?:PAT|PRJ)_[A-Za-z0-9]{10,}_[a-f0-9]{40,}",
        "CCIPAT_<22>_<40 hex>",
    ),
    prefixed(
        "buildkite-token", "Buildkite token", "bkua_ bkaj_ bkct_", r"bk(?:ua|aj|ct)_[A-Za-z0-9]{40,}", "bkua_<40 hex>",
    ),
    prefixed("sonar-token", "SonarQube token", "sqp_ squ_ sqa_", r"sq[pua]_[a-f0-9]{40,}", "squ_<40 hex>"),
    prefixed(
        "sourcegraph-token", "Sourcegraph token", "sgp_", r"sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40,}",
        "sgp_<40 hex>",
    ),
    near(
        "snyk-token", "Snyk, Codecov or Travis token", "snyk codecov travis", rf"(?:{UUID}|[A-Za-z0-9_-]{{22}})",
        "SNYK_TOKEN=<uuid>", "codecov_token: <uuid>",
    ),
    prefixed("postman-key", "Postman key", "pmak-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34,}", "PMAK-<24 hex>-<34 hex>"),
    prefixed(
        "linear-key", "Linear key", "lin_api_ lin_oauth_ lin_wh_", r"lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,}",
        "lin_api_<40>", "lin_oauth_<64 hex>",
    ),
    prefixed("figma-token", "Figma token", "figd_ figu_ figo_", r"fig[duo]_[\w-]{30,}", "figd_<40 url>"),
    prefixed(
        "notion-token", "Notion token", "secret_ ntn_",
        r"(?:secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])|ntn_[A-Za-z0-9]{40,})", "secret_<43>", "ntn_<46>",
    ),
    prefixed(
        "airtable-token", "Airtable token", "pat airtable",
        r"(?:pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|(?i:airtable\w{0,20}[\"' ]{0,2}[=:][\"' ]{0,2})"
        r"(?P<s1>key[A-Za-z0-9]{14}))(?![A-Za-z0-9])",
        "pat<14>.<64 hex>",
    ),
    prefixed(
        "openai-key", "OpenAI key (and others of that shape)", "sk-",
        r"sk-(?!ant-|or-)(?:(?:proj|svcacct|admin|None|service|live|test)-)?"
        r"(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,}",
        "sk-<48>", "sk-proj-<120 url>", "sk-svcacct-<120 url>", "sk-<32 hex>",
    ),
    prefixed(
        "anthropic-key", "Anthropic key", "sk-ant-", r"sk-ant-[\w-]{24,}", "sk-ant-api03-<93 url>AA",
        "sk-ant-oat01-<93 url>AA",
    ),
    prefixed("openrouter-key", "OpenRouter key", "sk-or-", r"sk-or-(?:v1-)?[A-Za-z0-9]{32,}", "sk-or-v1-<64 hex>"),
    prefixed(
        "huggingface-token", "Hugging Face token", "hf_ api_org_", r"(?:hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{30,})",
        "hf_<34>", "api_org_<34>",
    ),
    prefixed("replicate-token", "Replicate token", "r8_", r"r8_[A-Za-z0-9]{36,}", "r8_<37>"),
    prefixed("groq-key", "Groq key", "gsk_", r"gsk_[A-Za-z0-9]{40,}", "gsk_<52>"),
    prefixed("xai-key", "xAI key", "xai-", r"xai-[A-Za-z0-9_-]{60,}", "xai-<80>"),
    prefixed("perplexity-key", "Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{40,}", "pplx-<48>"),
    prefixed("nvidia-key", "NVIDIA key", "nvapi-", r"nvapi-[\w-]{50,}", "nvapi-<64 url>"),
    prefixed(
        "langsmith-key", "LangSmith key", "lsv2_ ls__",
        r"(?:lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}|ls__[a-f0-9]{32})", "lsv2_pt_<32 hex>_<10 hex>",
    ),
    prefixed("pinecone-key", "Pinecone key", "pcsk_", r"pcsk_\w{40,}", "pcsk_<6>_<60>"),
    prefixed(
        "tavily-key", "Tavily, Cerebras or Fireworks key", "tvly- csk- fw_",
        r"(?:tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,}|csk-[a-z0-9]{40,}|fw_[A-Za-z0-9]{22,})", "tvly-dev-<32>",
        "csk-<48 lower>", "fw_<24>",
    ),
    near(
        "model-provider-key", "key of Cohere, Mistral, Together, W&B, ElevenLabs, DeepSeek",
        "cohere mistral together wandb elevenlabs deepseek voyage", r"(?:sk_)?[A-Za-z0-9_-]{32,64}",
        "COHERE_API_KEY=<40>", "MISTRAL_API_KEY=<32>", "wandb: <40 hex>",
    ),
)  # fmt: skip
