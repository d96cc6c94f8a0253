// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles

@testable import SoundFontVoices

extension PatchBank.Layer {
  init(path: String, bankOffset: Int = 0, gain: Float = 1) throws {
    let bytes = try FontFile.bytes(of: path)
    self.init(
      path: path, bytes: bytes, tables: try SoundFontTables(bytes), bankOffset: bankOffset,
      gain: gain)
  }
}

extension PatchBank {
  /// The presets of one font.
  convenience init(fontAt path: String, programs: Set<Int>? = nil) throws {
    try self.init([Layer(path: path)], programs: programs)
  }

  func list(_ patch: Int = 0) -> [Region] { unsafe Array(regions(of: patch)) }
}

extension Region {
  func isStruck(_ key: Int, _ velocity: Int) -> Bool {
    key >= Int(lowKey) && key <= Int(highKey) && velocity >= Int(lowVelocity)
      && velocity <= Int(highVelocity)
  }

  var modulatorList: [Modulator] {
    (0..<Int(modulatorCount)).map { unsafe modulators[$0] }
  }

  /// The loop, relative to the first frame.
  var loop: Range<Int32> { loopStart - start..<loopEnd - start }
}
