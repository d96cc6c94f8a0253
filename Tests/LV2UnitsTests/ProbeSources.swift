// SPDX-License-Identifier: Apache-2.0

/// The files of `ProbePlugins`.
enum ProbeSources {
  /// The names of the plug-ins; each has an input, an output, a control `level`, a number output
  /// and an event port, in this order.
  private static let names = [
    "amp", "nan", "late", "worker", "echo", "song", "sulks", "crashes", "needy", "optional",
    "thru", "breaks", "synth", "sleeps",
  ]

  static var manifest: String {
    prefixes
      + names.map {
        "<urn:probe:\($0)> a lv2:Plugin ; lv2:binary <probe.so> ; rdfs:seeAlso <probe.ttl> .\n"
      }.joined()
  }

  static var description: String { prefixes + names.map(text).joined() }

  private static let prefixes = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix doap: <http://usefulinc.com/ns/doap#> .
    @prefix foaf: <http://xmlns.com/foaf/0.1/> .
    @prefix atom: <http://lv2plug.in/ns/ext/atom#> .
    @prefix units: <http://lv2plug.in/ns/extensions/units#> .
    @prefix work: <http://lv2plug.in/ns/ext/worker#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .

    """

  private static func text(_ name: String) -> String {
    let features = [
      "worker":
        "lv2:requiredFeature work:schedule ; lv2:extensionData work:interface, state:interface ;",
      "needy": "lv2:requiredFeature <urn:nobody:has-it> ;",
    ]
    let told = name == "late" ? "lv2:portProperty lv2:reportsLatency ;" : ""
    let odd = [
      "optional": """
      , [ a lv2:InputPort, lv2:CVPort ; lv2:index 5 ; lv2:symbol "cv" ; lv2:name "CV" ;
          lv2:portProperty lv2:connectionOptional ]
      """,
      "thru": """
      , [ a lv2:OutputPort, atom:AtomPort ; lv2:index 5 ; lv2:symbol "sent" ; lv2:name "Sent" ;
          atom:bufferType atom:Sequence ; atom:supports <http://lv2plug.in/ns/ext/midi#MidiEvent> ]
      """,
    ]
    return """
      <urn:probe:\(name)> a lv2:Plugin, lv2:\(name == "synth" ? "Instrument" : "Amplifier")Plugin ; doap:name "Probe \(name)" ;
        doap:maintainer [ foaf:name "Nobody" ] ; \(features[name] ?? "")
        lv2:port [ a lv2:InputPort, lv2:AudioPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "In" ] ,
          [ a lv2:OutputPort, lv2:AudioPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "Out" ] ,
          [ a lv2:InputPort, lv2:ControlPort ; lv2:index 2 ; lv2:symbol "level" ;
            lv2:name "Loud Ness" ; lv2:default 0.5 ; lv2:minimum -2 ; lv2:maximum 2 ;
            units:unit units:coef ; lv2:scalePoint [ rdfs:label "unity" ; rdf:value 1 ] ,
              [ rdfs:label "none" ; rdf:value 0 ] ] ,
          [ a lv2:OutputPort, lv2:ControlPort ; lv2:index 3 ; lv2:symbol "told" ; lv2:name "Told" ;
            \(told) lv2:default 0 ] ,
          [ a lv2:InputPort, atom:AtomPort ; lv2:index 4 ; lv2:symbol "events" ; lv2:name "Events" ;
            atom:bufferType atom:Sequence ;
            atom:supports <http://lv2plug.in/ns/ext/midi#MidiEvent> ,
              <http://lv2plug.in/ns/ext/time#Position> ] \(odd[name] ?? "") .

      """
  }

  static let code = #"""
    #include "CLilvTypes.h"
    #include <math.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    typedef struct {
      const float *in, *level;
      float *out, *told;
      const LV2_Atom_Sequence *events;
      LV2_Atom_Sequence *sent;
      LV2_URID sequence, midi, object, bpm, number, text;
      const LV2_Worker_Schedule *schedule;
      LV2_Log_Log *log;
      float held, late[32], tempo;
      int place, asked;
    } Probe;

    static LV2_Handle make(const LV2_Descriptor *own, double rate, const char *bundle,
                           const LV2_Feature *const *features) {
      Probe *probe = calloc(1, sizeof(Probe));
      for (; *features; features++) {
        if (!strcmp((*features)->URI, "http://lv2plug.in/ns/ext/urid#map")) {
          LV2_URID_Map *map = (*features)->data;
          probe->sequence = map->map(map->handle, "http://lv2plug.in/ns/ext/atom#Sequence");
          probe->midi = map->map(map->handle, "http://lv2plug.in/ns/ext/midi#MidiEvent");
          probe->object = map->map(map->handle, "http://lv2plug.in/ns/ext/atom#Object");
          probe->number = map->map(map->handle, "http://lv2plug.in/ns/ext/atom#Float");
          probe->bpm = map->map(map->handle, "http://lv2plug.in/ns/ext/time#beatsPerMinute");
          probe->text = map->map(map->handle, "urn:probe:held");
        }
        if (!strcmp((*features)->URI, "http://lv2plug.in/ns/ext/worker#schedule"))
          probe->schedule = (*features)->data;
        if (!strcmp((*features)->URI, "http://lv2plug.in/ns/ext/log#log"))
          probe->log = (*features)->data;
      }
      if (!strcmp(own->URI, "urn:probe:crashes")) abort();
      if (!strcmp(own->URI, "urn:probe:sulks")) {
        probe->log->printf(probe->log->handle, 0, "not today, at %g Hz\n", rate);
        free(probe);
        return 0;
      }
      return probe;
    }
    static void connect(LV2_Handle handle, uint32_t port, void *place) {
      Probe *probe = handle;
      if (port == 0) probe->in = place;
      if (port == 1) probe->out = place;
      if (port == 2) probe->level = place;
      if (port == 3) probe->told = place;
      if (port == 4) probe->events = place;
      if (port == 5) probe->sent = place;
    }
    static void clean(LV2_Handle handle) { free(handle); }
    // Accesses its ports again; their memory must still be valid.
    static void ends_(LV2_Handle handle) {
      Probe *probe = handle;
      if (*probe->level < -2 || *probe->level > 2 || probe->in[0] != probe->in[0]) abort();
    }

    static const LV2_Atom_Event *first(const LV2_Atom_Sequence *events) {
      return (const LV2_Atom_Event *)(events + 1);
    }
    static const LV2_Atom_Event *after(const LV2_Atom_Event *event) {
      return (const void *)((const char *)event + 16 + ((event->body.size + 7) & ~7u));
    }
    static int ends(const LV2_Atom_Sequence *events, const LV2_Atom_Event *event) {
      return (const char *)event >= (const char *)events + 8 + events->atom.size;
    }

    static void amp(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      for (uint32_t i = 0; i < count; i++) probe->out[i] = probe->in[i] * *probe->level;
      *probe->told = count;
    }
    static void nan_(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      for (uint32_t i = 0; i < count; i++) probe->out[i] = i % 2 ? NAN : probe->in[i];
    }
    static void late(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      for (uint32_t i = 0; i < count; i++) {
        probe->out[i] = probe->late[probe->place];
        probe->late[probe->place] = probe->in[i];
        probe->place = (probe->place + 1) % 32;
      }
      *probe->told = 32;
    }
    // A sample of the velocity at a note's start, and of the status at any other message.
    static void echo(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      memset(probe->out, 0, count * sizeof(float));
      for (const LV2_Atom_Event *e = first(probe->events); !ends(probe->events, e); e = after(e)) {
        const uint8_t *bytes = (const uint8_t *)(e + 1);
        if (e->body.type != probe->midi) continue;
        int isNote = bytes[0] >> 4 == 9;
        probe->out[e->time.frames] += isNote ? bytes[2] / 128.0f : -bytes[0] / 256.0f;
      }
    }
    // Returns the messages that it receives; with a level above 1, with wrong lengths.
    static void thru(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      memset(probe->out, 0, count * sizeof(float));
      uint32_t room = probe->sent->atom.size, size = probe->events->atom.size;
      if (size > room) return;
      memcpy(probe->sent, probe->events, size + 8);
      if (*probe->level > 1) probe->sent->atom.size = 1 << 30;
      if (*probe->level > 1.5) ((LV2_Atom_Event *)first(probe->sent))->body.size = 1 << 30;
    }
    static void sleeps(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      memset(probe->out, 0, count * sizeof(float));
      if (*probe->level > 1) usleep(2000);
    }
    static void breaks(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      memset(probe->out, 0, count * sizeof(float));
      if (*probe->level > 1) *(volatile int *)8 = 1;
      if (*probe->level < 0) abort();
    }
    // The tempo of the last song position.
    static void song(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      for (const LV2_Atom_Event *e = first(probe->events); !ends(probe->events, e); e = after(e)) {
        if (e->body.type != probe->object) continue;
        const char *place = (const char *)(e + 1) + 8, *end = (const char *)(e + 1) + e->body.size;
        while (place < end) {
          const LV2_Atom_Property_Body *one = (const void *)place;
          if (one->key == probe->bpm && one->value.type == probe->number)
            probe->tempo = *(const float *)(one + 1);
          place += 16 + ((one->value.size + 7) & ~7u);
        }
      }
      for (uint32_t i = 0; i < count; i++) probe->out[i] = probe->tempo / 1024;
    }
    // The worker's answer, which is twice the request.
    static void worker(LV2_Handle handle, uint32_t count) {
      Probe *probe = handle;
      if (probe->asked != (int)(*probe->level * 8)) {
        probe->asked = *probe->level * 8;
        probe->schedule->schedule_work(probe->schedule->handle, sizeof(int), &probe->asked);
      }
      for (uint32_t i = 0; i < count; i++) probe->out[i] = probe->held;
    }
    static LV2_Worker_Status work(LV2_Handle handle, LV2_Worker_Respond_Function respond,
                                  LV2_Worker_Respond_Handle to, uint32_t size, const void *data) {
      char *memory = malloc(1 << 16);
      float twice = *(const int *)data / 4.0f;
      free(memory);
      return respond(to, sizeof twice, &twice);
    }
    static LV2_Worker_Status answered(LV2_Handle handle, uint32_t size, const void *body) {
      ((Probe *)handle)->held = *(const float *)body;
      return LV2_WORKER_SUCCESS;
    }

    typedef int (*Store)(void *, uint32_t, const void *, size_t, uint32_t, uint32_t);
    typedef const void *(*Retrieve)(void *, uint32_t, size_t *, uint32_t *, uint32_t *);
    static int save(LV2_Handle handle, Store store, void *to, uint32_t flags,
                    const LV2_Feature *const *features) {
      Probe *probe = handle;
      return store(to, probe->text, &probe->held, sizeof(float), probe->number, 3);
    }
    static int restore(LV2_Handle handle, Retrieve retrieve, void *from, uint32_t flags,
                       const LV2_Feature *const *features) {
      Probe *probe = handle;
      size_t size = 0;
      uint32_t type = 0, kept = 0;
      const float *held = retrieve(from, probe->text, &size, &type, &kept);
      if (held && size == sizeof(float)) probe->held = *held;
      return 0;
    }
    static const struct { void *save, *restore; } state = {save, restore};
    static const LV2_Worker_Interface working = {work, answered, 0};
    static const void *data(const char *uri) {
      if (!strcmp(uri, "http://lv2plug.in/ns/ext/worker#interface")) return &working;
      if (!strcmp(uri, "http://lv2plug.in/ns/ext/state#interface")) return &state;
      return 0;
    }

    static const LV2_Descriptor all[] = {
      {"urn:probe:amp", make, connect, 0, amp, 0, clean, 0},
      {"urn:probe:nan", make, connect, 0, nan_, 0, clean, 0},
      {"urn:probe:late", make, connect, 0, late, 0, clean, 0},
      {"urn:probe:worker", make, connect, 0, worker, 0, clean, data},
      {"urn:probe:echo", make, connect, 0, echo, 0, clean, 0},
      {"urn:probe:song", make, connect, 0, song, 0, clean, 0},
      {"urn:probe:sulks", make, connect, 0, amp, 0, clean, 0},
      {"urn:probe:crashes", make, connect, 0, amp, 0, clean, 0},
      {"urn:probe:needy", make, connect, 0, amp, 0, clean, 0},
      {"urn:probe:optional", make, connect, 0, amp, 0, clean, 0},
      {"urn:probe:thru", make, connect, 0, thru, 0, clean, 0},
      {"urn:probe:breaks", make, connect, 0, breaks, 0, clean, 0},
      {"urn:probe:sleeps", make, connect, 0, sleeps, 0, clean, 0},
      {"urn:probe:synth", make, connect, 0, echo, ends_, clean, 0},
    };
    __attribute__((visibility("default"))) const LV2_Descriptor *lv2_descriptor(uint32_t index) {
      return index < sizeof all / sizeof *all ? &all[index] : 0;
    }
    """#
}
