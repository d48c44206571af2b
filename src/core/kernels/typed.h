// SPDX-License-Identifier: Apache-2.0
// Every typed kernel of the core, in the order of their needs. Include once per real type, after plain.h and a real_*.h.
#include "elementary.h"

#include "gram.h"
#include "huber.h"
#include "linalg.h"
#include "model.h"
#include "probe.h"
#include "rng.h"
#include "solve.h"
#include "solver.h"
#include "stats.h"
