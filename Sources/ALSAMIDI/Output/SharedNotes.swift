// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// What one port has struck and not released, in memory that outlives the process.
///
/// For each key, each pedal and the bend of each channel there are two counts: what sounds, and
/// what the kernel holds to begin it later. The sender writes; the guardian reads when the sender
/// is gone.
@safe
struct SharedNotes: @unchecked Sendable {
  /// How many bytes a port needs.
  static let byteCount = 8192
  /// How many ports of a client have room.
  static let portCount = 64

  private static let keys = 16 * 128
  /// The pedals and the bend.
  private static let controls = Controller.pedals.count + 1
  private static let slots = keys + 16 * controls

  private let sounding: UnsafeMutablePointer<UInt8>
  private let coming: UnsafeMutablePointer<UInt8>

  /// The part of a port in the memory of its client, or nil for a port beyond the room.
  init?(_ memory: UnsafeMutableRawBufferPointer, port: UInt8) {
    let start = Int(port) * Self.byteCount
    guard port < Self.portCount, start + Self.byteCount <= memory.count,
      let base = memory.baseAddress
    else { return nil }
    unsafe sounding = (base + start).assumingMemoryBound(to: UInt8.self)
    unsafe coming = sounding + Self.slots
  }

  /// Notes a message that the kernel is about to be given.
  func promise(_ message: Message) {
    guard let (slot, begins) = Self.slot(message), begins else { return }
    if unsafe coming[slot] < .max { unsafe coming[slot] += 1 }
  }

  /// Counts a promised message as sent.
  func settle(_ message: Message) {
    guard let (slot, begins) = Self.slot(message) else { return }
    if begins {
      if unsafe coming[slot] > 0 { unsafe coming[slot] -= 1 }
      if unsafe sounding[slot] == 0 || (slot < Self.keys && sounding[slot] < .max) {
        unsafe sounding[slot] += 1
      }
    } else if unsafe sounding[slot] > 0 {
      unsafe sounding[slot] -= 1
    }
  }

  /// Forgets what was promised and not settled.
  func forgetComing() {
    unsafe coming.update(repeating: 0, count: Self.slots)
  }

  /// Forgets everything.
  func clear() {
    unsafe sounding.update(repeating: 0, count: Self.slots)
    forgetComing()
  }

  /// Holds every channel for sounding: somebody else plays there.
  func assumeEverything() {
    for channel in 0..<16 { unsafe sounding[Self.keys + channel * Self.controls] = 1 }
  }

  /// What silences all of it; empty where nothing sounds.
  var releases: [Message] {
    var ledger = NoteLedger()
    for slot in 0..<Self.slots {
      let count = unsafe Int(sounding[slot]) + Int(coming[slot])
      for _ in 0..<count { ledger.record(Self.beginning(slot)) }
    }
    return ledger.takeReleases(cuttingSound: true)
  }

  /// What a message begins or ends, if it does.
  private static func slot(_ message: Message) -> (slot: Int, begins: Bool)? {
    switch message.kind {
    case .noteOn(let channel, let key, _): (Int(channel.index) << 7 | Int(key.number), true)
    case .noteOff(let channel, let key, _): (Int(channel.index) << 7 | Int(key.number), false)
    case .bend(let channel, let value):
      (keys + (Int(channel.index) + 1) * controls - 1, value != 8192)
    case .control(let channel, let controller, let value):
      controller.pedalIndex.map {
        (keys + Int(channel.index) * controls + $0, Controller.isDown(value))
      }
    default: nil
    }
  }

  private static func beginning(_ slot: Int) -> Message {
    guard slot >= keys else {
      return .noteOn(Channel(index: UInt8(slot >> 7)), Key(UInt8(slot & 127)), velocity: 1)
    }
    let (channel, control) = (slot - keys).quotientAndRemainder(dividingBy: controls)
    return control < Controller.pedals.count
      ? .control(Channel(index: UInt8(channel)), Controller.pedals[control], value: 127)
      : .bend(Channel(index: UInt8(channel)), 0)
  }
}
