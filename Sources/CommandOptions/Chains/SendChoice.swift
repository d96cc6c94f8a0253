// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
package import PlayerControl

/// How much of tracks goes to a bus.
package struct SendChoice {
  package let tracks: NamedTracks
  package let bus: String
  package let gain: Gain

  package init(parsing text: String) throws {
    let (tracks, rest) = try NamedTracks.split(text, "--send", "2=hall:-12dB")
    self.tracks = tracks
    let colon = rest.lastIndex(of: ":")
    bus = String(rest[..<(colon ?? rest.endIndex)])
    gain =
      try colon.map { try Gain(parsing: String(rest[rest.index(after: $0)...])) } ?? Gain(factor: 1)
    guard gain.factor <= 16 else {
      throw ValidationError("--send \(text): the gain must be at most 24dB (try \(bus):-12dB)")
    }
  }
}
