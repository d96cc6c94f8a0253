// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit

/// A sync source: `midi:PORT` or only `PORT`, `mtc:PORT`, `ltc:DEVICE`, `clock:NAME` or only the
/// name of a running clock, `link` or `jack`.
///
/// A port may also have a kind: `midi:alsa:fluid`, or `alsa:fluid`. The first word decides: no kind
/// of sync source is also a kind of port, except `jack`, and `jack:NAME` is a port. For a port
/// whose name begins with such a word, write `midi:` before the name.
package struct SyncSource: ExpressibleByArgument {
  package enum Kind: String, CaseIterable {
    case midi, mtc, ltc, clock, link, jack

    /// True if the word alone names a sync source: a session, a transport or the default device.
    var standsAlone: Bool { self == .link || self == .ltc || self == .jack }
    /// True for time code, which does not need beats.
    package var isTimecode: Bool { self == .mtc || self == .ltc }
  }

  package let kind: Kind
  /// The ports, the name of a clock or device, or the length of a bar; empty if other programs
  /// connect to us.
  package let targets: [String]
  /// True if a MIDI clock continues at its first message after a gap.
  package var resumesAfterGap = false
  /// The role of a song in a Link session; `.follow` by default.
  package var role = LinkRole.follow
  /// The network interfaces on which Link peers are searched; empty, the default, for all with a
  /// private address.
  package var interfaces: [String] = []

  /// True if the text is the name of a MIDI port without a kind.
  package private(set) var isBarePort = false

  package init(_ kind: Kind, _ targets: [String]) {
    self.kind = kind
    self.targets = targets
  }

  /// The sync source as it is typed on the command line.
  package var name: String { ([kind.rawValue] + targets).joined(separator: ":") }

  package init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    if let kind = Kind(rawValue: argument), kind.standsAlone {
      self.init(kind, [])
    } else if parts.count == 2, let kind = Kind(rawValue: parts[0]), kind != .jack {
      // An invalid number of beats, as in `link:`, is refused later, with advice.
      guard kind == .link || !parts[1].isEmpty else { return nil }
      self.init(kind, [parts[1]])
    } else if SharedClockReader.isRunning(argument) {
      self.init(.clock, [argument])
    } else {
      self.init(.midi, [argument])
      isBarePort = true
    }
  }

  /// The length of a bar in Link, in millionths of a beat; 4 beats by default.
  ///
  /// - Throws: `Failure` if the text is not a number of beats in 0.25…1024.
  package func linkQuantum() throws -> Int64 {
    guard let text = targets.first else { return 4_000_000 }
    guard let beats = Double(text), (0.25...1_024).contains(beats) else {
      throw FlagText("--sync", "link:\(text)")
        .failure("a bar must have 0.25…1024 beats (try link:4 or link)")
    }
    return Int64((beats * 1e6).rounded())
  }
}
