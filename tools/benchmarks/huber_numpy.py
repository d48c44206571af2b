#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The streaming regression of bench-huber-<backend> beside NumPy's on one thread.

usage: huber_numpy.py BENCH_HUBER [--rows N] [--features N] [--batch N] [--rounds N] [--most RATIO]

Both fit the same stream (docs/huber.md, no penalty, defaults) from host memory, in turns, a round each. The numbers of iterations must
be equal and the coefficients agree; then the medians are compared. Exit status: 0 within RATIO, 1 not or a difference, 2 NumPy missing.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # read when NumPy loads its BLAS
try:
    import numpy
except ImportError:
    print("huber_numpy: NumPy is missing. Install python3-numpy (or pip install numpy) and run again.", file=sys.stderr)
    sys.exit(2)

TAU, BANDWIDTH_SCALE, TOLERANCE, RIDGE, ITERATIONS_MOST, STEP_LEAST = 1.345, 1.0, 1e-6, 1e-8, 100, 1e-8
RUNS = 2  # in a round; the shorter counts
AGREEMENT = 1e-9  # both stop within the tolerance after a quadratic step


def stream_make(rows, features):
    """Normal design, noise 0.2, an outlier of scale 8 in every max(100, rows / 100) rows."""
    random = numpy.random.default_rng(42)
    x = random.standard_normal((rows, features))
    y = x @ random.standard_normal(features) + 0.2 * random.standard_normal(rows)
    places = numpy.arange(0, rows, max(100, rows // 100))
    y[places] += 8.0 * random.standard_normal(places.size)
    return x, y


def batch_fit(x, y, beta, information, weight):
    """One update by damped Newton steps: the new coefficients, information, weight, and the number of iterations."""
    x = numpy.concatenate([x, numpy.ones((x.shape[0], 1))], axis=1)
    total = weight + x.shape[0]
    band = min(BANDWIDTH_SCALE / (numpy.sqrt(total) * numpy.log(max(x.shape[1] - 1, 2))), TAU)
    start = beta

    def objective(beta):
        r = y - x @ beta
        a = numpy.abs(r)
        moved = beta - start
        return numpy.where(a <= TAU, 0.5 * r * r, TAU * (a - 0.5 * TAU)).sum() / total + 0.5 * (moved @ information @ moved) / total, r

    def curvature(r):
        return (x.T * numpy.clip(0.5 + (TAU - numpy.abs(r)) / (2.0 * band), 0.0, 1.0)) @ x

    value, r = objective(beta)
    for iteration in range(1, ITERATIONS_MOST + 1):
        gradient = (information @ (beta - start) - x.T @ numpy.clip(r, -TAU, TAU)) / total
        hessian = (curvature(r) + information) / total
        try:
            numpy.linalg.cholesky(hessian)
        except numpy.linalg.LinAlgError:  # every row beyond tau: the curvature of the touching quadratic
            hessian = ((x.T * (TAU / numpy.maximum(numpy.abs(r), TAU))) @ x + information) / total
        direction = numpy.linalg.solve(hessian + RIDGE * numpy.eye(beta.size), gradient)
        step = 1.0
        while step >= STEP_LEAST:
            candidate = beta - step * direction
            tried, tried_r = objective(candidate)
            if tried <= value:
                break
            step *= 0.5
        else:
            break
        moved = numpy.linalg.norm(candidate - beta)
        beta, value, r = candidate, tried, tried_r
        if moved <= TOLERANCE * (1.0 + numpy.linalg.norm(beta)):
            break
    return beta, information + curvature(r), total, iteration


def stream_fit(x, y, batch):
    q = x.shape[1] + 1
    beta, information, weight, iterations = numpy.zeros(q), numpy.zeros((q, q)), 0.0, []
    for row in range(0, x.shape[0], batch):
        beta, information, weight, count = batch_fit(x[row : row + batch], y[row : row + batch], beta, information, weight)
        iterations.append(count)
    return beta, iterations


def core_fit(words):
    lines = dict(line.split(" ", 1) for line in subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines())
    return (
        min(float(word) for word in lines["seconds"].split()[1:]),
        [int(word) for word in lines["iterations"].split()],
        numpy.array([float(word) for word in lines["coefficients"].split()]),
    )


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("bench")
    parser.add_argument("--rows", type=int, default=100000)
    parser.add_argument("--features", type=int, default=90)
    parser.add_argument("--batch", type=int, default=32768)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--most", type=float, default=4.0)
    options = parser.parse_args()
    x, y = stream_make(options.rows, options.features)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, name) for name in ("x", "y")]
        for file, values in zip(files, (x, y)):
            file.write_bytes(values.astype("<f8").tobytes())
        words = [options.bench, *map(str, files), str(options.rows), str(options.features), str(options.batch), str(RUNS)]
        for _ in range(options.rounds):
            samples = []
            for _ in range(RUNS):
                start = time.perf_counter()
                beta, iterations = stream_fit(x, y, options.batch)
                samples.append(time.perf_counter() - start)
            theirs.append(min(samples))
            seconds, core_iterations, core_beta = core_fit(words)
            ours.append(seconds)
            difference = numpy.abs(core_beta - beta).max()
            if core_iterations != iterations or not difference <= AGREEMENT:
                print(f"iterations {core_iterations} and {iterations} (NumPy), largest difference {difference:g}", file=sys.stderr)
                return 1
    ratio = statistics.median(ours) / statistics.median(theirs)
    print(f"{options.rows} x {options.features} in batches of {options.batch}, float64, no penalty, iterations {iterations}")
    print(f"core  {1e3 * statistics.median(ours):9.1f} ms   (median of {options.rounds}; {options.bench})")
    print(f"NumPy {1e3 * statistics.median(theirs):9.1f} ms   (NumPy {numpy.__version__}, one thread)")
    print(f"ratio {ratio:9.2f}      (at most {options.most:g})   largest difference of a coefficient {difference:.1e}")
    return 0 if ratio <= options.most else 1


if __name__ == "__main__":
    sys.exit(main())
