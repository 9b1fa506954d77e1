"""The trainer's own environment class, or ours (standalone.py) where the trainer is not installed."""

from __future__ import annotations

try:
    from open_instruct.environments.base import StepResult
    from open_instruct.environments.swerl_vanillux_sandbox import (
        SWERLVanilluxSandboxEnv as EngineEnv,
    )
    from open_instruct.environments.swerl_vanillux_sandbox import (
        SWERLVanilluxSandboxEnvConfig as EngineEnvConfig,
    )

    HAS_ENGINE = True
except ImportError:
    from .standalone import StandaloneEnv as EngineEnv
    from .standalone import StandaloneEnvConfig as EngineEnvConfig
    from .standalone import StepResult

    HAS_ENGINE = False

__all__ = ["HAS_ENGINE", "EngineEnv", "EngineEnvConfig", "StepResult"]
