// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
package import PlayerControl

/// The value of `--send`: tracks, a bus and a gain.
package struct SendChoice {
  package let tracks: NamedTracks
  package let bus: String
  package let gain: Gain

  package init(parsing text: String) throws {
    let (tracks, rest) = try NamedTracks.split(text, "--send", "2=hall:-12dB")
    self.tracks = tracks
    let colon = rest.lastIndex(of: ":")
    let bus = String(rest[..<(colon ?? rest.endIndex)])
    self.bus = bus
    let level = colon.map { String(rest[rest.index(after: $0)...]) }
    gain = try level.map { try Gain(typed: $0, for: "--send \(bus):") } ?? Gain(factor: 1)
    guard gain.factor <= 16 else {
      throw ValidationError("--send \(text): the gain must be at most 24dB (try \(bus):-12dB)")
    }
  }
}
