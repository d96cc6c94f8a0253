// SPDX-License-Identifier: Apache-2.0

/// Which channels are heard, as a value: all but the mute ones, or those that are played alone.
struct HeardChannels: Equatable {
  /// Bit n for channel index n, in all of them.
  var muted: UInt16 = 0
  var soloed: UInt16 = 0

  /// Those that are heard.
  var mask: UInt16 { (soloed == 0 ? .max : soloed) & ~muted }

  /// What a command makes of them; nil for one about anything else.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - chosen: the index of the channel that was chosen; nil where none was.
  /// - Returns: those that are mute or alone from then on.
  /// - Throws: `Failure` with status 64 where the command is about the chosen one and there is none.
  func changed(by command: PlayCommand, chosen: Int?) throws(Failure) -> HeardChannels? {
    var changed = self
    switch command {
    case .mute: changed.muted ^= try Self.bit(of: chosen)
    case .solo: changed.soloed ^= try Self.bit(of: chosen)
    case .hearAll: changed = HeardChannels()
    case .setMuted(let mask, let some): changed.muted = muted & ~some | mask
    case .setSoloed(let mask, let some): changed.soloed = soloed & ~some | mask
    default: return nil
    }
    return changed
  }

  private static func bit(of chosen: Int?) throws(Failure) -> UInt16 {
    guard let chosen else { throw Failure(.usage, "choose a channel first, with Tab") }
    return 1 << UInt16(chosen)
  }
}
