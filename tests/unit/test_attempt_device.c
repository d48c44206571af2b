// SPDX-License-Identifier: Apache-2.0
// The device of a run against the machine's record: the same, another, or nothing to compare with.
#include "unit.h"

#include "attempt_device.h"

#include <stdio.h>
#include <string.h>

#define CARD(uuid) "{'name':'NVIDIA H200','uuid':" uuid ",'partitions':{'current':0,'pending':0}}"
#define NVML(cards) "'nvml':{'library':true,'error':null,'driver':'580.1','devices':[" cards "]}"
#define NO_NVML "'nvml':{'library':false,'error':null,'driver':null,'devices':[]}"
#define CUDA "'cuda':{'error':null,'devices':[{'name':'NVIDIA H200','capability':'9.0'}]}"
#define NO_CUDA "'cuda':{'error':'cuInit returned 100','devices':[]}"
#define OPENCL                                                                                                                     \
    "'opencl':{'error':null,'platforms':[{'name':'P','devices':[{'name':'D','driver':'1','version':'OpenCL 3.0'}]},"               \
    "{'name':'NVIDIA CUDA','devices':[{'name':'NVIDIA H200','driver':'580.1','version':'OpenCL 3.0 CUDA'}]}]}"
#define DEVICES(parts) "{'devices':{" parts "}}"
#define RAN(name, uuid) "{'name':'" name "','uuid':'" uuid "','platform':'CUDA','driver':'580.1, CUDA 13.0','capability':'9.0'}"
#define RAN_OPENCL(name, uuid)                                                                                                     \
    "{'name':'" name "','uuid':'" uuid "','platform':'NVIDIA CUDA','driver':'580.1','runtime':'OpenCL 3.0 CUDA'}"
#define PROCESSOR "{'machine':{'processor':{'model':'AMD EPYC'},'system':{'kernel':'Linux','release':'6.1'}}}"

#define LONG "a processor whose vendor gave it a name that no record can hold whole"

static const struct {
    const char *machine, *backend, *device;
    bool listed;
    evidence_device_match match;
    const char *says;
} rows[] = {
    {PROCESSOR, "cpu", "{'name':'AMD EPYC','driver':'Linux 6.1'}", false, EVIDENCE_DEVICE_BY_MODEL, "no UUID"},
    {PROCESSOR, "cpu", "{'name':'Intel Xeon','driver':'Linux 6.1'}", false, EVIDENCE_DEVICE_DIFFERS, "AMD EPYC"},
    {PROCESSOR, "cpu", "{'name':'AMD EPYC','driver':'Linux 6.2'}", false, EVIDENCE_DEVICE_DIFFERS, "Linux 6.1"},
    {"{'machine':{}}", "cpu", "{'name':'AMD EPYC','driver':'x'}", false, EVIDENCE_DEVICE_NOT_COMPARED, "not told"},
    {"{'machine':{'processor':{'model':'AMD EPYC 9755'}}}", "cpu", "{'name':'AMD EPYC','driver':'x'}", false,
     EVIDENCE_DEVICE_DIFFERS, "AMD EPYC 9755"},
    {"{'machine':{'processor':{'model':'" LONG " and more'}}}", "cpu", "{'name':'" LONG "','driver':'x'}", false,
     EVIDENCE_DEVICE_BY_MODEL, "no UUID"}, // the backend cuts what is longer than its record
    // CUDA
    {DEVICES(CUDA "," NVML(CARD("'GPU-1'"))), "cuda", RAN("NVIDIA H200", "GPU-1"), true, EVIDENCE_DEVICE_BY_UUID, ""},
    {DEVICES(CUDA "," NVML(CARD("'GPU-1'") "," CARD("'GPU-2'"))), "cuda", RAN("NVIDIA H200", "GPU-2"), false,
     EVIDENCE_DEVICE_BY_UUID, ""},
    {DEVICES(CUDA "," NVML(CARD("'GPU-1'"))), "cuda", RAN("NVIDIA H200", "GPU-2"), false, EVIDENCE_DEVICE_DIFFERS, "NVML"},
    {DEVICES(CUDA "," NVML(CARD("'GPU-1'"))), "cuda", RAN("NVIDIA H100", "GPU-1"), true, EVIDENCE_DEVICE_DIFFERS, "CUDA driver"},
    {DEVICES(NO_CUDA "," NVML(CARD("'GPU-1'"))), "cuda", RAN("NVIDIA H100", "GPU-1"), true, EVIDENCE_DEVICE_DIFFERS, "the model"},
    {DEVICES("'cuda':{'devices':[{'name':'NVIDIA H200','capability':'8.0'}]}," NVML(CARD("'GPU-1'"))), "cuda",
     RAN("NVIDIA H200", "GPU-1"), true, EVIDENCE_DEVICE_DIFFERS, "CUDA driver"},
    {DEVICES(CUDA ",'nvml':{'driver':'570.1','devices':[" CARD("'GPU-1'") "]}"), "cuda", RAN("NVIDIA H200", "GPU-1"), true,
     EVIDENCE_DEVICE_DIFFERS, "570.1"},
    {DEVICES(CUDA "," NVML(CARD("null"))), "cuda", RAN("NVIDIA H200", "GPU-1"), false, EVIDENCE_DEVICE_BY_MODEL, "tells no UUID"},
    {DEVICES(CUDA "," NO_NVML), "cuda", RAN("NVIDIA H200", "GPU-1"), false, EVIDENCE_DEVICE_BY_MODEL, "NVML: it is not there"},
    {DEVICES(CUDA ",'nvml':{'error':'broken','devices':[]}"), "cuda", RAN("NVIDIA H200", "GPU-1"), false, EVIDENCE_DEVICE_BY_MODEL,
     "NVML: broken"},
    {DEVICES(NO_CUDA "," NO_NVML), "cuda", RAN("NVIDIA H200", "GPU-1"), false, EVIDENCE_DEVICE_NOT_COMPARED, "NVML"},
    {"{'devices':{'error':'the probe hung'}}", "cuda", RAN("NVIDIA H200", "GPU-1"), false, EVIDENCE_DEVICE_NOT_COMPARED, "hung"},
    {DEVICES("'cuda':{'devices':[{'name':'NVIDIA H200 MIG 1g.18gb','capability':'9.0'}]}," NVML(CARD("'GPU-1'"))), "cuda",
     RAN("NVIDIA H200 MIG 1g.18gb", "MIG-7"), false, EVIDENCE_DEVICE_BY_MODEL, "partition"},
    {DEVICES("'cuda':{'devices':[{'name':'NVIDIA B200 MIG 1g.18gb','capability':'9.0'}]}," NVML(CARD("'GPU-1'"))), "cuda",
     RAN("NVIDIA B200 MIG 1g.18gb", "MIG-7"), false, EVIDENCE_DEVICE_DIFFERS, "NVML"},
    {DEVICES(CUDA "," NVML(CARD("'[uuid-1]'"))), "cuda", RAN("NVIDIA H200", "[uuid-2]"), false, EVIDENCE_DEVICE_DIFFERS, "NVML"},
    {DEVICES(CUDA "," NVML("{'name':'NVIDIA H200','uuid':'GPU-1','partitions':{'current':1,'pending':1}}")), "cuda",
     RAN("NVIDIA H200", "GPU-7"), false, EVIDENCE_DEVICE_BY_MODEL, "partition"},
    // OpenCL
    {DEVICES(OPENCL), "opencl", "{'name':'D','platform':'P','driver':'1','runtime':'OpenCL 3.0','uuid':'x'}", false,
     EVIDENCE_DEVICE_BY_MODEL, "OpenCL lists no UUID"},
    {DEVICES(OPENCL), "opencl", "{'name':'D','platform':'P','driver':'2','runtime':'OpenCL 3.0','uuid':'x'}", false,
     EVIDENCE_DEVICE_DIFFERS, "OpenCL"},
    {DEVICES(OPENCL), "opencl", "{'name':'D','platform':'P','driver':'1','runtime':'OpenCL 2.0','uuid':'x'}", false,
     EVIDENCE_DEVICE_DIFFERS, "OpenCL"},
    {DEVICES(OPENCL), "opencl", "{'name':'D','platform':'NVIDIA CUDA','driver':'1','runtime':'OpenCL 3.0','uuid':'x'}", false,
     EVIDENCE_DEVICE_DIFFERS, "OpenCL"},
    {DEVICES("'opencl':{'error':'no platform','platforms':[]}"), "opencl", "{'name':'D','platform':'P','driver':'1'}", false,
     EVIDENCE_DEVICE_NOT_COMPARED, "no platform"},
    {DEVICES(OPENCL "," NVML(CARD("'GPU-1'"))), "opencl", RAN_OPENCL("NVIDIA H200", "GPU-1"), true, EVIDENCE_DEVICE_BY_UUID, ""},
    {DEVICES(OPENCL "," NVML(CARD("'GPU-1'"))), "opencl", RAN_OPENCL("NVIDIA H200", "GPU-2"), false, EVIDENCE_DEVICE_DIFFERS,
     "NVML"},
    {DEVICES(OPENCL "," NVML(CARD("'[uuid-1]'"))), "opencl", RAN_OPENCL("NVIDIA H200", "[uuid-2]"), true, EVIDENCE_DEVICE_DIFFERS,
     "NVML"},
    {DEVICES(OPENCL "," NVML(CARD("'[uuid-1]'"))), "opencl", RAN_OPENCL("NVIDIA H200", "[uuid-2]"), false, EVIDENCE_DEVICE_BY_MODEL,
     "UUID of its own"},
    {DEVICES(OPENCL "," NO_NVML), "opencl", RAN_OPENCL("NVIDIA H200", "GPU-1"), false, EVIDENCE_DEVICE_BY_MODEL, "NVML"},
};

// JSON with ' for ".
static json_t *json_of(const char *text)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    for (char *at = copy; *at != '\0'; ++at) {
        *at = *at == '\'' ? '"' : *at;
    }
    json_t *value = json_loads(copy, JSON_REJECT_DUPLICATES, NULL);
    free(copy);
    assert_non_null(value);
    return value;
}

static void every_pair_of_records_has_its_answer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char message[EVIDENCE_MESSAGE];
        json_t *machine = json_of(rows[i].machine);
        json_t *device = json_of(rows[i].device);
        const evidence_device_match match = evidence_device_compare(machine, rows[i].backend, device, rows[i].listed, message);
        if (match != rows[i].match || strstr(message, rows[i].says) == NULL || (message[0] == '\0') != (rows[i].says[0] == '\0')) {
            fail_msg("row %zu: match %d, not %d; it says \"%s\", not \"%s\"", i, (int)match, (int)rows[i].match, message,
                     rows[i].says);
        }
        json_decref(machine);
        json_decref(device);
    }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_of_records_has_its_answer)};
UNIT_MAIN(tests)
