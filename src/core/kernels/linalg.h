// SPDX-License-Identifier: Apache-2.0
// Single-source kernels of the module linalg. Body: include once per real type.
#include "axpy.h"
