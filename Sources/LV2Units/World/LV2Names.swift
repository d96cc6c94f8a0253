// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// The LV2 URIs in use.
enum LV2Names {
  static let core = "http://lv2plug.in/ns/lv2core#"
  static let atom = "http://lv2plug.in/ns/ext/atom#"
  static let bufSize = "http://lv2plug.in/ns/ext/buf-size#"
  static let options = "http://lv2plug.in/ns/ext/options#"
  static let state = "http://lv2plug.in/ns/ext/state#"
  static let time = "http://lv2plug.in/ns/ext/time#"
  static let units = "http://lv2plug.in/ns/extensions/units#"
  static let worker = "http://lv2plug.in/ns/ext/worker#"
  static let midiEvent = "http://lv2plug.in/ns/ext/midi#MidiEvent"
  static let map = "http://lv2plug.in/ns/ext/urid#map"
  static let unmap = "http://lv2plug.in/ns/ext/urid#unmap"
  static let log = "http://lv2plug.in/ns/ext/log#log"
  static let preset = "http://lv2plug.in/ns/ext/presets#Preset"
  static let label = "http://www.w3.org/2000/01/rdf-schema#label"
  static let type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
  static let sampleRate = "http://lv2plug.in/ns/ext/parameters#sampleRate"
  static let makeResident = "http://lv2plug.in/ns/extensions/ui#makeResident"
  static let logarithmic = "http://lv2plug.in/ns/ext/port-props#logarithmic"

  /// Returns the number of a URI, which stays valid until the process ends.
  static func number(_ uri: String) -> UInt32 { unsafe clilv_map(nil, uri) }

  /// The features that the host supports.
  ///
  /// The first three require nothing of a host with separate input and output buffers.
  static let features: Set<String> = [
    core + "hardRTCapable", core + "inPlaceBroken", core + "isLive",
    map, unmap, log, options + "options", worker + "schedule", makeResident,
    bufSize + "boundedBlockLength", bufSize + "fixedBlockLength",
    bufSize + "powerOf2BlockLength",
    state + "loadDefaultState", state + "mapPath", state + "freePath",
    state + "threadSafeRestore",
  ]

  /// The options that the host provides.
  static let givenOptions: Set<String> = [
    sampleRate, bufSize + "minBlockLength", bufSize + "maxBlockLength",
    bufSize + "nominalBlockLength", bufSize + "sequenceSize",
  ]
}
