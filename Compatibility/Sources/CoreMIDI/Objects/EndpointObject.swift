// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CCoreAudio
internal import MIDIPorts
internal import Synchronization

/// A source or destination of MIDI: a port of ALSA, or an endpoint that a client has created.
final class EndpointObject: MIDIObject, @unchecked Sendable {
  // Unchecked, as its superclass.

  /// The client that created it, or nil for a port of ALSA.
  let client: ClientObject?
  /// The reader of received packets, for a destination of this process.
  let reader: PacketReader?
  /// The port of ALSA that it stands for, while that port exists.
  let alsa: Mutex<Endpoint?>
  /// For a source of this process, its port in the kernel's sequencer.
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

  /// True if it is left out of lists.
  var isHidden: Bool { properties.withLock { ($0.integer("private") ?? 0) != 0 } }

  /// True if packets are delivered at once, regardless of their times.
  var schedulesItself: Bool {
    if case .integer(let value) = property("scheduleAheadMuSec") { value != 0 } else { false }
  }

  /// The speed of SysEx messages, in bytes per second.
  var sysExSpeed: Int {
    guard case .integer(let value) = property("max SysEx speed"), value > 0 else { return 3125 }
    return Int(value)
  }
}
