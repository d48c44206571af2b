// SPDX-License-Identifier: Apache-2.0
// Answers as they travel from `cupel golden` to the oracle: every output in full, also of bulk rows.
//
//   #cupel-answers 1
//   <row id>[\t<label>=<dtype>:<token>]...      one line a row of inputs, in its order
//   #end
#ifndef GOLDEN_STREAM_H
#define GOLDEN_STREAM_H

#include "text.h"

void golden_stream_format(const golden_inputs *inputs, const golden_answer *answers, golden_text *text);
// `answers` has inputs->count elements, all empty; the caller frees them, also after a failure.
golden_status golden_stream_parse(const char *data, size_t bytes, const golden_inputs *inputs, golden_answer *answers,
                                  golden_error *error);

#endif
