// SPDX-License-Identifier: Apache-2.0
// The suite abi: the public interface itself. Names, versions, handles, lifetimes, and every argument wrong once.
#include "abi.h"

static const cupel_table *const tables[] = {&abi_devices_table, &abi_arrays_table, &abi_transfers_table, &abi_arguments_table,
                                            &abi_huber_table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("abi", tables);
