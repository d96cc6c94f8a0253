// SPDX-License-Identifier: Apache-2.0
import Testing

/// Our declarations of libraries that are opened on first use, held against the libraries' headers
/// where those are installed.
@Suite struct LibraryDeclarationTests {
  static let all = [
    LibraryDeclarations(
      target: "CFluidSynth", header: "fluidsynth.h", prefix: "", layouts: []),
    LibraryDeclarations(
      target: "CSndFile", header: "sndfile.h", prefix: "sf_",
      layouts: [
        ("SF_INFO", "frames samplerate channels format sections seekable"),
        ("SF_FORMAT_INFO", "format name extension"),
        ("SF_VIRTUAL_IO", "get_filelen seek read write tell"),
        ("SF_CUE_POINT", "indx position fcc_chunk chunk_start block_start sample_offset name"),
        (
          "SF_INSTRUMENT",
          "gain basenote detune velocity_lo velocity_hi key_lo key_hi loop_count loops"
            + " loops[1].mode loops[1].start loops[1].end loops[1].count"
        ),
        ("SF_LOOP_INFO", "time_sig_num time_sig_den loop_mode num_beats bpm root_key future"),
        (
          "SF_BROADCAST_INFO",
          "description originator originator_reference origination_date origination_time"
            + " time_reference_low time_reference_high version umid loudness_value loudness_range"
            + " max_true_peak_level max_momentary_loudness max_shortterm_loudness reserved"
            + " coding_history_size coding_history"
        ),
      ]),
    LibraryDeclarations(
      target: "CSoxr", header: "soxr.h", prefix: "soxr_",
      layouts: [
        ("soxr_io_spec_t", "itype otype scale e flags"),
        (
          "soxr_quality_spec_t",
          "precision phase_response passband_end stopband_begin e flags"
        ),
        (
          "soxr_runtime_spec_t",
          "log2_min_dft_size log2_large_dft_size coef_size_kbytes num_threads e flags"
        ),
      ]),
    LibraryDeclarations(
      target: "CRubberBand", header: "rubberband/rubberband-c.h", prefix: "rubberband_",
      layouts: []),
    LibraryDeclarations(target: "CMySofa", header: "mysofa.h", prefix: "mysofa_", layouts: []),
    LibraryDeclarations(
      target: "CCurl", header: "curl/curl.h", prefix: "curl_",
      layouts: [
        ("CURLMsg", "msg easy_handle data.result"), ("struct curl_slist", "data next"),
      ]),
    LibraryDeclarations(
      target: "CLilv",
      header: "lilv-0/lilv/lilv.h lv2/atom/atom.h lv2/log/log.h lv2/options/options.h"
        + " lv2/urid/urid.h lv2/worker/worker.h",
      prefix: "lilv_",
      layouts: [
        ("LV2_Feature", "URI data"),
        (
          "LV2_Descriptor",
          "URI instantiate connect_port activate run deactivate cleanup extension_data"
        ),
        ("LV2_URID_Map", "handle map"), ("LV2_URID_Unmap", "handle unmap"),
        ("LV2_Options_Option", "context subject key size type value"),
        ("LV2_Worker_Interface", "work work_response end_run"),
        ("LV2_Worker_Schedule", "handle schedule_work"), ("LV2_Log_Log", "handle printf vprintf"),
        ("LV2_Atom", "size type"), ("LV2_Atom_Sequence", "atom body.unit body.pad"),
        ("LV2_Atom_Event", "time.frames body"), ("LV2_Atom_Object_Body", "id otype"),
        ("LV2_Atom_Property_Body", "key context value"),
        ("LilvInstance", "lv2_descriptor lv2_handle pimpl"),
      ]),
    LibraryDeclarations(
      target: "CEBUR128", header: "ebur128.h", prefix: "ebur128_",
      layouts: [("ebur128_state", "mode channels samplerate d")]),
    LibraryDeclarations(
      target: "CJACK", header: "jack/jack.h jack/midiport.h", prefix: "jack_",
      layouts: [
        ("jack_latency_range_t", "min max"), ("jack_midi_event_t", "time size buffer"),
        (
          "jack_position_t",
          "unique_1 usecs frame_rate frame valid bar beat tick bar_start_tick beats_per_bar"
            + " beat_type ticks_per_beat beats_per_minute frame_time next_time bbt_offset"
            + " audio_frames_per_video_frame video_offset tick_double padding unique_2"
        ),
      ]),
    LibraryDeclarations(
      target: "CSystemdBus", header: "systemd/sd-bus.h", prefix: "sd_bus_",
      layouts: [("sd_bus_error", "name message _need_free")]),
    LibraryDeclarations(
      target: "CAvahi",
      header: "avahi-client/publish.h avahi-client/lookup.h avahi-common/simple-watch.h"
        + " avahi-common/alternative.h avahi-common/malloc.h avahi-common/error.h",
      prefix: "avahi_", layouts: [("AvahiAddress", "proto data.ipv6 data.ipv4")]),
  ]

  static let installed = all.filter(\.isInstalled)
  static let reason: Comment = "no header of these libraries is installed (make setup-test)"

  @Test(.enabled(if: !installed.isEmpty, reason), arguments: installed)
  func `functions are declared as the library declares them`(library: LibraryDeclarations) throws {
    #expect(try library.compile(library.functionCheck, runs: false) == "")
  }

  @Test(.enabled(if: !installed.isEmpty, reason), arguments: installed)
  func `structures and constants are the library's`(library: LibraryDeclarations) throws {
    let ours = try library.compile(library.listing(ofOurs: true), runs: true)
    let theirs = try library.compile(library.listing(ofOurs: false), runs: true)
    #expect(ours == theirs)
    #expect(!ours.isEmpty)
  }
}
