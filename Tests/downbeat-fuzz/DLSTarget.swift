// SPDX-License-Identifier: Apache-2.0
import Glibc
import SoundFontFiles
import TestSupport

/// DLS files with damaged sizes, links, waves, connections and conditions, read and played.
struct DLSTarget: FuzzTarget {
  private var voices: VoiceTarget
  private let scene: FuzzScene
  private var (whole, faulty, refused) = (0, 0, 0)

  init(_ scene: FuzzScene) {
    self.scene = scene
    voices = VoiceTarget(scene)
  }

  var tally: String {
    "\(whole) whole, \(faulty) with findings, \(refused) refused, \(voices.tally)"
  }

  mutating func attack(_ random: inout SplitMix) throws {
    let bytes = DLSSeed.mutated(&random)
    try scene.keep(bytes)
    do {
      let (tables, font) = try SoundFontTables.open(FontBytes(bytes))
      if try tables.findings(in: font).isEmpty { whole += 1 } else { faulty += 1 }
      let start = Int.random(in: 0..<font.count, using: &random)
      let part = try font.bytes(start..<min(font.count, start + 9999))
      try FuzzFault.unless(part.count == min(9999, font.count - start), "bytes are missing")
    } catch {
      try FuzzFault.unless(!"\(error)".isEmpty, "an error without a sentence")
      refused += 1
    }
    if Int.random(in: 0..<8, using: &random) == 0 { try voices.attack(bytes, &random) }
    let isSanitized = unsafe getenv("ASAN_OPTIONS") != nil
    let peak = try PeakMemory.bytes()
    try FuzzFault.unless(peak < 256 << 20 || isSanitized, "\(peak) bytes of memory")
  }
}
