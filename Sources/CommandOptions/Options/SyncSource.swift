// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit

/// A master as a flag names it: `midi:PORT` or just `PORT`, `mtc:PORT`, `ltc:DEVICE`, `clock:NAME`
/// or the bare name of a running clock, `link`, `jack`.
///
/// A port is named as everywhere, also with its kind: `midi:alsa:fluid`, or `alsa:fluid`. No kind of
/// master but JACK's transport is a kind of port, and `jack:NAME` is a port, so the first word
/// decides; a port whose name begins with such a word is `midi:` and its name.
package struct SyncSource: ExpressibleByArgument {
  package enum Kind: String, CaseIterable {
    case midi, mtc, ltc, clock, link, jack

    /// Whether the word alone names a master: a session or a transport there is one of, or the
    /// usual device.
    var standsAlone: Bool { self == .link || self == .ltc || self == .jack }
    /// Whether it gives labels, and so needs no beats.
    package var isTimecode: Bool { self == .mtc || self == .ltc }
  }

  package let kind: Kind
  /// The ports, the one name or device, or the length of a bar; none where others are to connect to us.
  package let targets: [String]
  /// Whether a MIDI clock goes on with its first clock after a gap.
  package var resumesAfterGap = false
  /// The role of a song in a Link session.
  package var role = LinkRole.follow
  /// The network interfaces on which others of a session of Link are looked for; none for all that
  /// have a private address.
  package var interfaces: [String] = []

  /// True if a word without a kind is read as the name of a MIDI port.
  package private(set) var isBarePort = false

  package init(_ kind: Kind, _ targets: [String]) {
    self.kind = kind
    self.targets = targets
  }

  /// Its name on a command line.
  package var name: String { ([kind.rawValue] + targets).joined(separator: ":") }

  package init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    if let kind = Kind(rawValue: argument), kind.standsAlone {
      self.init(kind, [])
    } else if parts.count == 2, let kind = Kind(rawValue: parts[0]), kind != .jack {
      // Bars of link: are refused where they are asked for, with what would be right.
      guard kind == .link || !parts[1].isEmpty else { return nil }
      self.init(kind, [parts[1]])
    } else if SharedClockReader.isRunning(argument) {
      self.init(.clock, [argument])
    } else {
      self.init(.midi, [argument])
      isBarePort = true
    }
  }

  /// The length of a bar in millionths of a beat: 4 beats where none is named.
  ///
  /// - Throws: `Failure` if the text is not 0.25 to 1024 beats.
  package func linkQuantum() throws -> Int64 {
    guard let text = targets.first else { return 4_000_000 }
    guard let beats = Double(text), (0.25...1_024).contains(beats) else {
      throw FlagText("--sync", "link:\(text)")
        .failure("a bar must have 0.25…1024 beats (try link:4 or link)")
    }
    return Int64((beats * 1e6).rounded())
  }
}
