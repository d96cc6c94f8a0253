// SPDX-License-Identifier: Apache-2.0

/// What a port is one of: the word before the colon, as in `jack:system`.
///
/// A kind is spelt in small letters, and is no word by which a flag names a master (`midi`, `mtc`,
/// `clock`, `link`, `ltc`), so that `--sync rtp:studio` can mean one thing only.
public struct PortKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word.
  public let rawValue: String

  /// Names a kind.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Ports of the ALSA sequencer.
  public static let alsa = PortKind(rawValue: "alsa")
  /// Sessions of MIDI over the network (RTP-MIDI).
  public static let rtp = PortKind(rawValue: "rtp")
  /// MIDI ports of JACK, and of PipeWire by it.
  public static let jack = PortKind(rawValue: "jack")
  /// Ports in this process's memory (`LoopbackPorts`).
  public static let loopback = PortKind(rawValue: "loopback")

  /// The kinds that a name may begin with, whether anything provides them here or not.
  public static let named = [alsa, rtp, jack]

  /// The word.
  public var description: String { rawValue }
}

extension Array where Element: Hashable {
  /// The elements, each where it is first met.
  var uniqued: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
