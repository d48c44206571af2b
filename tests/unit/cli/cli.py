# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share: the executable under test, a scratch folder, exact assertions.

Each test script is called as: SCRIPT --cupel EXECUTABLE --tree BUILD --source DIR [--share N]
"""
import argparse
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PASS, FAILED, NOT_RUN, REFUSED, USAGE = 0, 1, 2, 3, 64
LIMIT_SECONDS = 240


class Options:
    cupel = None
    tree = None
    source = None
    share = 1  # of many like attempts a test makes one in so many


def obey_permissions():
    """In a child before exec: a privileged process obeys the permission bits like any other."""
    if os.geteuid() == 0:
        drop, override = 24, 1  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
        if ctypes.CDLL(None, use_errno=True).prctl(drop, override, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "the capability CAP_DAC_OVERRIDE cannot be dropped")


@contextlib.contextmanager
def read_only(folder):
    """The folder and all below it take nothing from a process that obeys permissions (`held`)."""
    subprocess.run(["chmod", "-R", "a-w", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["chmod", "-R", "u+w", folder], check=True)


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="cupel-cli-"))
        self.addCleanup(shutil.rmtree, self.scratch, True)

    def cupel(self, *words, status, cwd=None, env=None, held=False):
        """Runs cupel and requires the exit status; returns (standard output, standard error). `held`: permission bits hold it."""
        environment = dict(os.environ, LC_ALL="C")
        environment.pop("CI", None)
        environment.update(env or {})
        done = subprocess.run([str(Options.cupel), *map(str, words)], cwd=cwd or self.scratch, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_SECONDS, check=False,
                              preexec_fn=obey_permissions if held else None)
        out, err = done.stdout.decode(), done.stderr.decode()
        if status is not None:  # None: any
            self.assertEqual(done.returncode, status, f"cupel {' '.join(map(str, words))}\n{out}\n{err}")
        return out, err

    def refusal(self, *words, status, says, **more):
        """Requires the status, one sentence on standard error that holds every text of `says`, and nothing on standard output."""
        out, err = self.cupel(*words, status=status, **more)
        self.assertEqual(out, "", "a refused command publishes nothing")
        self.assertEqual(err.count("\n"), 1, err)
        for text in says:
            self.assertIn(text, err)
        return err

    def json(self, *words, status, **more):
        return json.loads(self.cupel(*words, "--json", status=status, **more)[0])


def snapshot(folder):
    """Every path below a folder with its bytes (None for folders)."""
    return {p.relative_to(folder): None if p.is_dir() else p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if not p.is_symlink()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cupel", type=pathlib.Path, required=True)
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--share", type=int, default=1)
    parser.parse_args(namespace=Options)
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    ran_all = result.wasSuccessful() and result.testsRun > 0 and not result.skipped
    sys.exit(0 if ran_all else 1)
