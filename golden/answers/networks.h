// SPDX-License-Identifier: Apache-2.0
// The networks of the golden corpora of models and solvers, described through nc.h. docs/golden.md lists them.
#ifndef GOLDEN_NETWORKS_H
#define GOLDEN_NETWORKS_H

#include "answers.h"

// The model that the row names (network=, a=, b=), compiled for the device. Release with nc_model_release.
golden_status golden_network_model(nc_device *device, const golden_row *row, nc_model **model, golden_error *error);

#endif
