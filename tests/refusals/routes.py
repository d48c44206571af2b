# SPDX-License-Identifier: Apache-2.0
"""A run through both routes, `cupel run` and `ctest -L`, with its exact status and reasons."""
import tree  # puts the command line's test helpers on the path
import cli

GREEN, RED = 0, 8  # of ctest


def codes(verdict):
    return sorted({reason["code"] for reason in verdict["reasons"]})


class Case(cli.Case):
    def make(self, name, **named):
        return tree.Tree(self.scratch / name, **named)

    def through_cupel(self, made, status, reasons, env=None):
        made.write()
        answer = self.json("run", tree.PROFILE, "--tree", made.folder, status=status, env=env)
        self.assertEqual(codes(answer["profiles"][0]["verdict"]), sorted(reasons))
        self.assertEqual(answer["status"], status)

    def through_ctest(self, made, word, reasons, *words, env=None):
        """ctest must be red, and the receipt, where the run came to one, must say why."""
        made.write()
        done = made.ctest("-L", f"^{tree.PROFILE}$", *words, env=env)
        self.assertEqual(done.returncode, RED, done.stdout.decode())
        verdict = made.receipt()
        if verdict is None:
            for reason in reasons:
                self.assertIn(reason.encode(), done.stdout)
        else:
            self.assertEqual((verdict["word"], codes(verdict)), (word, sorted(reasons)))

    def both(self, status, word, reasons, spoil=None, env=None, **named):
        for route, check in (("cupel", lambda made: self.through_cupel(made, status, reasons, env)),
                             ("ctest", lambda made: self.through_ctest(made, word, reasons, env=env))):
            with self.subTest(route=route, reasons=reasons):
                made = self.make(f"{route}-{'-'.join(reasons)}-{named.get('kind', '')}", **named)
                if spoil is not None:
                    spoil(made)
                check(made)

    def refused(self, *reasons, **named):
        self.both(cli.REFUSED, "REFUSED", list(reasons), **named)

    def failed(self, *reasons, **named):
        self.both(cli.FAILED, "FAIL", list(reasons), **named)

    def not_run(self, *reasons, **named):
        self.both(cli.NOT_RUN, "NOT RUN", list(reasons), **named)
