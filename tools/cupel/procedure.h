// SPDX-License-Identifier: Apache-2.0
// A recorded run: an attempt with source, machine, provenance, the lane itself and the machine again, closed by a receipt.
#ifndef CUPEL_PROCEDURE_H
#define CUPEL_PROCEDURE_H

#include "drive.h"
#include "more_steps.h"

typedef struct cupel_procedure_request {
    cupel_drive_request drive;    // `attempt` is set by the procedure
    const char *evidence;         // absolute path of an existing folder
    const json_t *together;       // names of all profiles of this command
    const char *session;          // one for all attempts of this command
    const cupel_more_steps *more; // recorded beside the run
    bool fresh_build;             // build anew in a fresh directory first, with the tree's configuration
    bool keep_build;              // keep executables and libraries in the attempt
    bool dirty;                   // a source with changes is accepted, for a receipt that can never be approved
} cupel_procedure_request;

// As cupel_drive; the result's directory is the attempt. A failing step stops the lane, and everything is kept.
void cupel_procedure(const cupel_procedure_request *request, cupel_drive_result *result);

#endif
