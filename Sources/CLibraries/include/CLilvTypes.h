// SPDX-License-Identifier: Apache-2.0
// Declarations of the part of LV2's and lilv's interfaces in use, so that building does not require
// their headers. See https://lv2plug.in/ns/ and https://drobilla.net/docs/lilv/
#ifndef CLILV_TYPES_H
#define CLILV_TYPES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// lv2core

typedef void *LV2_Handle;

typedef struct {
  const char *URI;
  void *data;
} LV2_Feature;

typedef struct LV2_Descriptor {
  const char *URI;
  LV2_Handle (*instantiate)(const struct LV2_Descriptor *descriptor, double rate,
                            const char *bundle, const LV2_Feature *const *features);
  void (*connect_port)(LV2_Handle instance, uint32_t port, void *place);
  void (*activate)(LV2_Handle instance);
  void (*run)(LV2_Handle instance, uint32_t frames);
  void (*deactivate)(LV2_Handle instance);
  void (*cleanup)(LV2_Handle instance);
  const void *(*extension_data)(const char *uri);
} LV2_Descriptor;

// urid

typedef uint32_t LV2_URID;
typedef void *LV2_URID_Map_Handle;
typedef void *LV2_URID_Unmap_Handle;

typedef struct {
  LV2_URID_Map_Handle handle;
  LV2_URID (*map)(LV2_URID_Map_Handle handle, const char *uri);
} LV2_URID_Map;

typedef struct {
  LV2_URID_Unmap_Handle handle;
  const char *(*unmap)(LV2_URID_Unmap_Handle handle, LV2_URID urid);
} LV2_URID_Unmap;

// options

typedef enum {
  LV2_OPTIONS_INSTANCE = 0,
} LV2_Options_Context;

typedef struct {
  LV2_Options_Context context;
  uint32_t subject;
  LV2_URID key;
  uint32_t size;
  LV2_URID type;
  const void *value;
} LV2_Options_Option;

// worker

typedef enum {
  LV2_WORKER_SUCCESS = 0,
  LV2_WORKER_ERR_UNKNOWN = 1,
  LV2_WORKER_ERR_NO_SPACE = 2,
} LV2_Worker_Status;

typedef void *LV2_Worker_Respond_Handle;
typedef void *LV2_Worker_Schedule_Handle;
typedef LV2_Worker_Status (*LV2_Worker_Respond_Function)(
    LV2_Worker_Respond_Handle handle, uint32_t size, const void *data);

typedef struct {
  LV2_Worker_Status (*work)(LV2_Handle instance, LV2_Worker_Respond_Function respond,
                            LV2_Worker_Respond_Handle handle, uint32_t size, const void *data);
  LV2_Worker_Status (*work_response)(LV2_Handle instance, uint32_t size, const void *body);
  LV2_Worker_Status (*end_run)(LV2_Handle instance);
} LV2_Worker_Interface;

typedef struct {
  LV2_Worker_Schedule_Handle handle;
  LV2_Worker_Status (*schedule_work)(
      LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data);
} LV2_Worker_Schedule;

// log

typedef void *LV2_Log_Handle;

typedef struct {
  LV2_Log_Handle handle;
  int (*printf)(LV2_Log_Handle handle, LV2_URID type, const char *format, ...);
  int (*vprintf)(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list arguments);
} LV2_Log_Log;

// state

typedef void *LV2_State_Handle;

typedef struct {
  LV2_State_Handle handle;
  char *(*path)(LV2_State_Handle handle, const char *path);
} LV2_State_Make_Path;

// atom

typedef struct {
  uint32_t size;
  uint32_t type;
} LV2_Atom;

typedef struct {
  uint32_t unit;
  uint32_t pad;
} LV2_Atom_Sequence_Body;

typedef struct {
  LV2_Atom atom;
  LV2_Atom_Sequence_Body body;
} LV2_Atom_Sequence;

typedef struct {
  union {
    int64_t frames;
    double beats;
  } time;
  LV2_Atom body;
} LV2_Atom_Event;

typedef struct {
  uint32_t id;
  uint32_t otype;
} LV2_Atom_Object_Body;

typedef struct {
  uint32_t key;
  uint32_t context;
  LV2_Atom value;
} LV2_Atom_Property_Body;

// lilv

typedef struct LilvPluginImpl LilvPlugin;
typedef struct LilvPortImpl LilvPort;
typedef struct LilvScalePointImpl LilvScalePoint;
typedef struct LilvNodeImpl LilvNode;
typedef struct LilvWorldImpl LilvWorld;
typedef struct LilvStateImpl LilvState;
typedef void LilvIter;
typedef void LilvPlugins;
typedef void LilvScalePoints;
typedef void LilvNodes;

typedef struct LilvInstanceImpl {
  const LV2_Descriptor *lv2_descriptor;
  LV2_Handle lv2_handle;
  void *pimpl;
} LilvInstance;

typedef const void *(*LilvGetPortValueFunc)(
    const char *symbol, void *context, uint32_t *size, uint32_t *type);
typedef void (*LilvSetPortValueFunc)(
    const char *symbol, void *context, const void *value, uint32_t size, uint32_t type);

#endif
