// SPDX-License-Identifier: Apache-2.0

/// The kind of a port, written before a colon and the name, as in `jack:system`.
///
/// A kind is written in lower case. It must differ from the words for sync sources (`midi`, `mtc`,
/// `clock`, `link`, `ltc`), so that `--sync rtp:studio` is unambiguous.
public struct PortKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The word for the kind, such as `jack`.
  public let rawValue: String

  /// Creates a kind from its word.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Ports of the ALSA sequencer.
  public static let alsa = PortKind(rawValue: "alsa")
  /// Sessions of RTP-MIDI.
  public static let rtp = PortKind(rawValue: "rtp")
  /// MIDI ports of JACK, or of PipeWire through JACK's interface.
  public static let jack = PortKind(rawValue: "jack")
  /// Ports in this process's memory (`LoopbackPorts`).
  public static let loopback = PortKind(rawValue: "loopback")

  /// The kinds that may precede a name, even if this program does not support them.
  public static let named = [alsa, rtp, jack]

  /// The word for the kind, such as `jack`.
  public var description: String { rawValue }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, in order of first occurrence.
  var uniqued: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
