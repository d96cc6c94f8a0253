// SPDX-License-Identifier: Apache-2.0
import JSONText
import Testing

@Suite struct NearestNamesTests {
  @Test(
    arguments: [
      ("plya", ["plot", "play", "ports"], ["play"]),
      ("re", ["render", "record", "play"], ["render", "record"]),
      ("REVERBB", ["reverb", "delay"], ["reverb"]), ("xyz", ["play", "render"], []),
      ("", ["play"], []), ("nfo", ["info", "info"], ["info", "info"]),
      ("--form", ["--format", "--from"], ["--from", "--format"]),
      ("--sped", ["--seed", "--speed"], ["--speed", "--seed"]), ("--lufs", ["--bus"], []),
      ("--size", ["--mute"], []), ("gpa", ["spa", "gap"], ["gap", "spa"]),
      ("-b", ["-z", "--bits"], []),
      ("resume", ["restart"], []), ("--", ["--play"], []),
      ("bain", ["gain", "bail"], ["bail", "gain"]),
    ] as [(String, [String], [String])])
  func `names are near that begin so, or differ in a third of their letters`(
    name: String, names: [String], near: [String]
  ) {
    #expect(NearestNames.of(name, among: names) == near)
    #expect(NearestNames.nearest(to: name, among: names) == near.first)
  }

  @Test func `a word that is longer than all names is not near any`() {
    let long = String(repeating: "a", count: 10_000)
    #expect(NearestNames.of(long, among: ["play", long]).isEmpty)
  }
}
