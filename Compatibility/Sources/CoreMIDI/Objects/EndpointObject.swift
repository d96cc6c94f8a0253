// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import MIDIPorts
internal import Synchronization

/// Where MIDI comes from or goes to: one of ALSA's ports, or one that a client of this process made.
final class EndpointObject: MIDIObject, @unchecked Sendable {
  // Unchecked as its superclass is.

  /// The client that made it; nil for one of ALSA's.
  let client: ClientObject?
  /// Who reads what is sent to it, where it is a destination of this process.
  let reader: PacketReader?
  /// Where it is now, where it is one of ALSA's that is there.
  let alsa: Mutex<Endpoint?>
  /// Its port in the kernel's sequencer, where it is of this process and there is one.
  let link: OutputLink?
  let input: InputFeed?

  init(
    _ kind: MIDIObjectType, owner: MIDIObject? = nil, properties: ObjectProperties,
    alsa: Endpoint
  ) {
    (client, reader, link, input) = (nil, nil, nil, nil)
    self.alsa = Mutex(alsa)
    super.init(kind, owner: owner, properties: properties)
  }

  init(
    _ kind: MIDIObjectType, of client: ClientObject, properties: ObjectProperties,
    reader: PacketReader?, link: OutputLink?, input: InputFeed?
  ) {
    (self.client, self.reader, self.link, self.input) = (client, reader, link, input)
    alsa = Mutex(nil)
    super.init(kind, properties: properties)
  }

  var isSource: Bool { kind == .source }

  /// Whether it is left out of lists.
  var isHidden: Bool { properties.withLock { ($0.integer("private") ?? 0) != 0 } }

  /// Whether packets are handed to it at once, whatever their times.
  var schedulesItself: Bool {
    if case .integer(let value) = property("scheduleAheadMuSec") { value != 0 } else { false }
  }

  /// Bytes a second of a SysEx.
  var sysExSpeed: Int {
    guard case .integer(let value) = property("max SysEx speed"), value > 0 else { return 3125 }
    return Int(value)
  }
}
