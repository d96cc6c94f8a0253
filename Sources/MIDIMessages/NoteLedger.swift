// SPDX-License-Identifier: Apache-2.0

/// What is sounding at one destination: struck keys and held pedals, channel by channel.
///
/// It is the one place that knows which releases are owed, whatever way a song ends.
public struct NoteLedger: Sendable {
  private var strikes: ContiguousArray<UInt8>
  private var pedals: ContiguousArray<UInt8>
  private var used: UInt16 = 0

  /// Creates an empty ledger.
  public init() {
    strikes = ContiguousArray(repeating: 0, count: 16 * 128)
    pedals = ContiguousArray(repeating: 0, count: 16)
  }

  /// Whether no key is struck and no pedal held.
  public var isSilent: Bool {
    strikes.allSatisfy { $0 == 0 } && pedals.allSatisfy { $0 == 0 }
  }

  /// Records a message that was sent.
  public mutating func record(_ message: Message) {
    guard let channel = message.channel else { return }
    used |= 1 << channel.index
    switch message.kind {
    case .noteOn(_, let key, _):
      let slot = Self.slot(channel, key)
      if strikes[slot] < .max { strikes[slot] += 1 }
    case .noteOff(_, let key, _):
      let slot = Self.slot(channel, key)
      if strikes[slot] > 0 { strikes[slot] -= 1 }
    case .control(_, let controller, let value):
      recordPedal(channel, controller, down: Controller.isDown(value))
    default:
      break
    }
  }

  /// The messages that end all of it, channel by channel; the ledger is empty afterwards.
  ///
  /// Only channels that were used are told.
  ///
  /// - Parameter cuttingSound: whether sound is cut as well, and every pedal raised and the bend
  ///   centred to be sure; if not, notes are released and held pedals come up, and what sounds
  ///   rings out.
  /// - Returns: the messages, in the order in which they are to be sent.
  public mutating func takeReleases(cuttingSound: Bool) -> [Message] {
    var releases: [Message] = []
    for channel in Channel.all where used & (1 << channel.index) != 0 {
      appendReleases(of: channel, raisingAll: cuttingSound, to: &releases)
      if cuttingSound { appendCut(of: channel, to: &releases) }
    }
    self = NoteLedger()
    return releases
  }

  private func appendReleases(
    of channel: Channel, raisingAll: Bool, to releases: inout [Message]
  ) {
    for number in 0..<UInt8(128) {
      for _ in 0..<strikes[Self.slot(channel, Key(number))] {
        releases.append(.noteOff(channel, Key(number)))
      }
    }
    for (bit, controller) in Controller.pedals.enumerated()
    where raisingAll || pedals[Int(channel.index)] & 1 << bit != 0 {
      releases.append(.control(channel, controller, value: 0))
    }
  }

  private func appendCut(of channel: Channel, to releases: inout [Message]) {
    releases.append(.bend(channel, 8192))
    releases.append(.control(channel, .allNotesOff, value: 0))
    releases.append(.control(channel, .allSoundOff, value: 0))
  }

  private mutating func recordPedal(_ channel: Channel, _ controller: Controller, down: Bool) {
    guard let bit = controller.pedalIndex else { return }
    let mask = UInt8(1) << UInt8(bit)
    let slot = Int(channel.index)
    pedals[slot] = down ? pedals[slot] | mask : pedals[slot] & ~mask
  }

  private static func slot(_ channel: Channel, _ key: Key) -> Int {
    Int(channel.index) << 7 | Int(key.number)
  }
}
