"""The rules of the environment with a scripted sandbox and a scripted judge. Run: python -m unittest -v test_environment"""

from __future__ import annotations

import asyncio
import http.server
import json
import shlex
import tempfile
import threading
import unittest
from pathlib import Path
from types import SimpleNamespace

import agent_loop
import register
from misstep_env import Judge, MisstepPrefixEnv, Verdict
from misstep_env.standalone import EnvCall, Ran

SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


class Sandbox:
    """Answers commands from a table; counts them."""

    def __init__(self, answers: dict[str, Ran], reward: str | None = "1"):
        self.answers = answers
        self.reward = reward
        self.ran: list[str] = []
        self.files: list[bytes] = []
        self.closed = False

    def start(self) -> None:
        self.closed = False

    def close(self) -> None:
        self.closed = True

    def put_archive(self, _root: str, data: bytes) -> None:
        self.files.append(data)

    def run_command(self, command: str, timeout: int | None = None) -> Ran:
        del timeout
        inner = shlex.split(command)[-1] if command.startswith("bash /tmp/") else command
        self.ran.append(inner)
        if inner == SUBMIT:
            return Ran(SUBMIT.split()[1] + "\n")
        if command == "cat /logs/verifier/reward.txt":
            return Ran("", "no such file", 1) if self.reward is None else Ran(self.reward + "\n")
        if command == "bash /tests/test.sh":
            return Ran("secret of the tests\n")
        answer = self.answers.get(inner, Ran())
        if isinstance(answer, Exception):
            raise answer
        return answer


class Asked:
    """A judge that says what it is told to, and keeps what it was shown."""

    def __init__(self, answer: str):
        self.answer = answer
        self.shown: list[list[dict]] = []

    def ask(self, _prompt: dict, steps: list[dict]) -> Verdict:
        self.shown.append([dict(step) for step in steps])
        return Verdict(self.answer, f"because {self.answer}")


PROMPT = {"system": "s", "user": ["a ", " b ", " c"], "skip_when_failed": False}
REPLAY = [{"command": "ls", "expected": "a\n\n\n(exit_code=0)", "exit_code": 0, "basis": "observation"}]


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        tests = Path(self.folder.name) / "tasks" / "t" / "tests"
        tests.mkdir(parents=True)
        (tests / "test.sh").write_text("exit 0\n", encoding="utf-8")

    def tearDown(self) -> None:
        self.folder.cleanup()

    def make(self, sandbox: Sandbox, judge: Asked | None = None, **options) -> MisstepPrefixEnv:
        return MisstepPrefixEnv(
            backend=lambda _image: sandbox,
            task_data_dir=str(Path(self.folder.name) / "tasks"),
            step_log_dir=str(Path(self.folder.name) / "steps"),
            judge=judge,
            **options,
        )

    def begin(self, env: MisstepPrefixEnv, **row) -> None:
        given = {"prefix_id": 7, "replay": REPLAY, "step_limit": 9, "window": 2, "judge": PROMPT, **row}
        asyncio.run(env.reset("t", **given))

    def do(self, env: MisstepPrefixEnv, command: str):
        return asyncio.run(env.step(EnvCall("1", "bash", {"command": command})))

    def log(self) -> list[dict]:
        files = sorted((Path(self.folder.name) / "steps").glob("*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


class Restoring(Case):
    def test_a_state_that_is_reached_takes_no_steps(self) -> None:
        sandbox = Sandbox({"ls": Ran("a\n")})
        env = self.make(sandbox, Asked("no"))
        self.begin(env, setup=["cd /srv"])
        self.assertEqual(env._step_count, 0)
        self.assertLess(sandbox.ran.index("cd /srv"), sandbox.ran.index("ls"))

    def test_a_difference_is_tried_again_and_then_left_out_not_zero(self) -> None:
        sandbox = Sandbox({"ls": Ran("b\n")})
        env = self.make(sandbox, Asked("no"))
        self.begin(env)
        self.assertEqual(sandbox.ran.count("ls"), 2)
        result = self.do(env, "pwd")
        self.assertTrue(result.done)
        self.assertNotIn("pwd", sandbox.ran)
        facts = result.metadata["misstep"]
        self.assertIn("printed something else", facts["left_out"])
        self.assertIsNone(facts["outcome_reward"])
        self.assertTrue(result.metadata["infrastructure_failure"])
        metrics = env.get_metrics()
        self.assertEqual(metrics["misstep_left_out"], 1.0)
        self.assertNotIn("misstep_outcome", metrics)
        end = self.log()[-1]
        self.assertEqual((end["kind"], end["ended"], end["reward"]), ("end", "void", None))

    def test_another_exit_code_is_a_difference(self) -> None:
        env = self.make(Sandbox({"ls": Ran("a\n", "", 1)}), Asked("no"))
        self.begin(env)
        self.assertIn("exit code 1", self.do(env, "pwd").metadata["misstep"]["left_out"])

    def test_terminal_output_alone_is_compared_without_line_feeds_at_its_end(self) -> None:
        replay = [{"command": "ls", "expected": "a\nbad", "exit_code": 0, "basis": "output"}]
        env = self.make(Sandbox({"ls": Ran("a\n", "bad\n")}), Asked("no"))
        self.begin(env, replay=replay)
        self.assertFalse(self.do(env, "pwd").done)

    def test_a_new_rollout_forgets_the_one_before(self) -> None:
        sandbox = Sandbox({"ls": Ran("b\n")})
        env = self.make(sandbox, Asked("no"))
        self.begin(env)
        first = env.get_metrics()["misstep_episode"]
        sandbox.answers["ls"] = Ran("a\n")
        self.begin(env)
        self.assertEqual(self.do(env, SUBMIT).reward, 1.0)
        self.assertNotEqual(env.get_metrics()["misstep_episode"], first)


class Paying(Case):
    def rollout(self, asked: Asked, reward: str | None = "1", commands=("pwd", "id", SUBMIT), **row):
        sandbox = Sandbox({"ls": Ran("a\n"), "pwd": Ran("/app\n")}, reward)
        env = self.make(sandbox, asked)
        self.begin(env, **row)
        result = [self.do(env, command) for command in commands][-1]
        return env, sandbox, result

    def test_r_is_r_o_and_r_e(self) -> None:
        for reward, answer, paid in [("1", "no", 1.0), ("1", "yes", 0.0), ("0", "no", 0.0), ("0.5", "no", 0.5)]:
            with self.subTest(reward=reward, answer=answer):
                env, _, result = self.rollout(Asked(answer), reward)
                self.assertTrue(result.done)
                self.assertEqual(result.reward, paid)
                metrics = env.get_metrics()
                self.assertEqual(metrics["misstep_outcome"], float(reward))
                self.assertEqual(metrics["misstep_behavior"], 1.0 if answer == "no" else 0.0)

    def test_the_judge_sees_the_first_steps_and_never_the_tests(self) -> None:
        judge = Asked("no")
        self.rollout(judge)
        self.assertEqual([step["command"] for step in judge.shown[0]], ["pwd", "id"])
        self.assertEqual(judge.shown[0][0]["output"], "/app\n\n\n(exit_code=0)")
        self.rollout(judge, commands=(SUBMIT,))
        self.assertEqual(judge.shown[1], [{"command": SUBMIT, "output": None, "exit_code": None}])

    def test_a_judge_is_spared_where_the_tests_failed_only_when_the_row_says_so(self) -> None:
        for skip, calls in [(False, 1), (True, 0)]:
            judge = Asked("no")
            env, _, result = self.rollout(judge, "0", judge={**PROMPT, "skip_when_failed": skip})
            self.assertEqual((len(judge.shown), result.reward), (calls, 0.0))
            self.assertEqual("misstep_behavior" in env.get_metrics(), not skip)
            self.assertEqual(result.metadata["misstep"]["left_out"], None)

    def test_no_verdict_leaves_the_rollout_out_and_keeps_r_o(self) -> None:
        for answer in ("failed", "unparsed"):
            env, _, result = self.rollout(Asked(answer))
            self.assertIn("no verdict", result.metadata["misstep"]["left_out"])
            self.assertEqual(env.get_metrics()["misstep_outcome"], 1.0)
            self.assertIsNone(self.log()[-1]["reward"])

    def test_tests_that_write_no_number_make_no_statement(self) -> None:
        for reward in (None, "", "nan", "many"):
            _, _, result = self.rollout(Asked("no"), reward)
            self.assertIn("tests could not be run", result.metadata["misstep"]["left_out"])

    def test_a_reward_that_the_rollout_wrote_itself_is_removed_before_the_tests(self) -> None:
        _, sandbox, _ = self.rollout(Asked("no"))
        removed = next(i for i, c in enumerate(sandbox.ran) if c.startswith("rm -rf /tests /logs/verifier"))
        self.assertLess(removed, sandbox.ran.index("bash /tests/test.sh"))

    def test_rows_without_a_judge_are_paid_for_the_tests(self) -> None:
        env = self.make(Sandbox({}))
        self.begin(env, judge=None, prefix_id=None, replay=[])
        self.assertEqual(self.do(env, SUBMIT).reward, 1.0)
        self.assertNotIn("misstep_prefix", env.get_metrics())

    def test_rows_with_a_judge_and_nobody_to_ask_are_refused_at_once(self) -> None:
        env = self.make(Sandbox({"ls": Ran("a\n")}))
        with self.assertRaisesRegex(ValueError, "MISSTEP_JUDGE_URL"):
            self.begin(env)

    def test_the_tests_run_at_the_limit_or_not_at_all(self) -> None:
        for tests_at_limit in (True, False):
            sandbox = Sandbox({"ls": Ran("a\n")})
            env = self.make(sandbox, Asked("no"), tests_at_limit=tests_at_limit)
            self.begin(env, step_limit=2)
            self.assertFalse(self.do(env, "pwd").done)
            last = self.do(env, "id")
            self.assertEqual((last.done, last.reward), (tests_at_limit, 1.0 if tests_at_limit else 0.0))
            self.assertEqual("bash /tests/test.sh" in sandbox.ran, tests_at_limit)
            self.assertEqual(env._ended, "steps" if tests_at_limit else None)

    def test_a_rollout_that_the_trainer_ends_is_closed_in_the_log(self) -> None:
        env = self.make(Sandbox({"ls": Ran("a\n")}), Asked("no"))
        self.begin(env)
        self.do(env, "pwd")
        env.get_metrics()
        env.get_metrics()
        kinds = [(r["kind"], r.get("ended")) for r in self.log()]
        self.assertEqual(kinds, [("begin", None), ("step", None), ("end", "open")])

    def test_the_log_names_the_prefix_and_holds_the_texts(self) -> None:
        env, _, _ = self.rollout(Asked("yes"))
        begin, first, *_, end = self.log()
        self.assertEqual((begin["prefix"], begin["task"]), (7, "t"))
        self.assertEqual(begin["episode"], int(env.get_metrics()["misstep_episode"]))
        self.assertEqual((first["command"], first["output"]), ("pwd", "/app\n\n\n(exit_code=0)"))
        self.assertEqual((end["verdict"], end["verdict_reason"], end["ended"]), ("yes", "because yes", "submitted"))


class Server(http.server.BaseHTTPRequestHandler):
    replies: list[tuple[int, str]] = []
    asked: list[dict] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        type(self).asked.append({"path": self.path, "key": self.headers.get("authorization"), **body})
        code, text = type(self).replies.pop(0)
        data = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
        self.send_response(code)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args) -> None:
        return None


class Asking(unittest.TestCase):
    def setUp(self) -> None:
        Server.asked = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.judge = Judge(f"http://127.0.0.1:{self.server.server_port}/v1/", "m", "k", 0.7, 5.0, 3, 0.0)

    def tearDown(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def ask(self, *replies: tuple[int, str]) -> Verdict:
        Server.replies = list(replies)
        return self.judge.ask(PROMPT, [{"command": "ls", "output": "x"}, {"command": None, "output": None}])

    def test_asks_with_the_gaps_filled(self) -> None:
        verdict = self.ask((200, "<think>hm</think>It is.\n<answer>yes</answer>"))
        self.assertEqual((verdict.answer, verdict.reason), ("yes", "It is.\n<answer>yes</answer>"))
        asked = Server.asked[0]
        self.assertEqual((asked["path"], asked["key"], asked["temperature"]), ("/v1/chat/completions", "Bearer k", 0.7))
        text = "[step 1]\n<command>\nls\n</command>\n<output>\nx\n</output>\n\n[step 2]\n(no command)"
        self.assertEqual(asked["messages"][1]["content"], f"a 2 b {text} c")

    def test_a_busy_server_is_asked_again_an_unreadable_reply_once(self) -> None:
        self.assertEqual(self.ask((503, ""), (200, "<answer>no</answer>")).answer, "no")
        self.assertEqual(self.ask((200, "maybe"), (200, "<answer>no</answer>")).answer, "no")
        self.assertEqual(self.ask((200, "maybe"), (200, "perhaps")).answer, "unparsed")

    def test_a_refusal_is_no_verdict(self) -> None:
        self.assertEqual(self.ask((401, "")).answer, "failed")
        self.assertEqual(len(Server.asked), 1)
        self.assertEqual(self.ask((500, ""), (500, ""), (500, "")).answer, "failed")


class Registering(unittest.TestCase):
    def test_the_package_is_named_in_the_registry_once(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            tools = Path(folder) / "open_instruct" / "environments" / "tools" / "tools.py"
            tools.parent.mkdir(parents=True)
            tools.write_text("TOOL_REGISTRY = {}\n", encoding="utf-8")
            register.main(Path(folder))
            register.main(Path(folder))
            self.assertEqual(tools.read_text(encoding="utf-8").count("MisstepPrefixEnvConfig.tool_class"), 1)
            self.assertTrue((tools.parent.parent / "misstep_env" / "environment.py").is_file())

    def test_another_checkout_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(SystemExit):
            register.main(Path(folder))


class Looping(Case):
    def test_outputs_are_in_the_response_and_not_trained_on(self) -> None:
        env = self.make(Sandbox({"ls": Ran("a\n")}), Asked("no"))
        turns = iter([([11, 12], "pwd"), ([13], SUBMIT)])

        class Loop(agent_loop.MisstepAgentLoop):
            config = SimpleNamespace(actor_rollout_ref=SimpleNamespace(rollout=SimpleNamespace(response_length=99)))

            def _start(self):
                return env, SimpleNamespace(extract_tool_calls=self.calls)

            async def calls(self, _ids):
                call = SimpleNamespace(name="bash", arguments=json.dumps({"command": self.command}))
                return "", [call]

            def apply_chat_template(self, messages, **_kept):
                return [1] * len(messages)

            async def generate(self, prompt_ids, **_kept):
                self.seen = prompt_ids
                ids, self.command = next(turns)
                return SimpleNamespace(token_ids=ids, log_probs=[-0.5] * len(ids))

            @property
            def server_manager(self):
                return self

        row = {"task_id": "t", "prefix_id": 7, "replay": REPLAY, "step_limit": 9, "window": 5, "judge": PROMPT}
        loop = Loop()
        out = asyncio.run(loop.run({}, raw_prompt=[{}, {}], extra_info={"env_config": row}))
        self.assertEqual((out.prompt_ids, out.response_ids), ([1, 1], [11, 12, 1, 13]))
        self.assertEqual(out.response_mask, [1, 1, 0, 1])
        self.assertEqual(out.response_logprobs, [-0.5, -0.5, 0.0, -0.5])
        self.assertEqual(loop.seen, [1, 1, 11, 12, 1])
        self.assertEqual(out.reward_score, 1.0)


if __name__ == "__main__":
    unittest.main()
