// SPDX-License-Identifier: Apache-2.0
// The parts of the suite abi.
#ifndef SUITE_ABI_H
#define SUITE_ABI_H

#include "cupel.h"

extern const cupel_table abi_arguments_table;
extern const cupel_table abi_arrays_table;
extern const cupel_table abi_devices_table;
extern const cupel_table abi_huber_table;
extern const cupel_table abi_transfers_table;

// Opens the case's own device a second time, as another handle. Close it before the case ends.
nc_device *abi_second_handle(cupel_context *context);

#endif
