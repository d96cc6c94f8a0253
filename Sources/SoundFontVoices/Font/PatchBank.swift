// SPDX-License-Identifier: Apache-2.0
package import SoundFontFiles

/// All that a voice needs of one or more SoundFonts: presets as regions, and their samples in memory.
///
/// - Note: Immutable once it is made, so that any thread may read it; what the render thread asks
///   neither allocates nor locks.
@safe
package final class PatchBank: @unchecked Sendable {
  /// One of the fonts; where two have a preset, the first plays it.
  package struct Layer {
    package let path: String
    package let tables: SoundFontTables
    package let bankOffset: Int
    package let gain: Float

    package init(path: String, tables: SoundFontTables, bankOffset: Int, gain: Float) {
      (self.path, self.tables) = (path, tables)
      (self.bankOffset, self.gain) = (bankOffset, gain)
    }
  }

  /// The samples of all fonts in one range of addresses, as frames; what regions count from.
  let samples: UnsafePointer<Int16>

  /// Reads the presets of some programs, and 0, or of all; maps the samples.
  package init(_ layers: [Layer], programs: Set<Int>?) throws {
    fatalError()
  }

  /// The number of the patch that is a preset; below 0 where no font has it.
  @_noAllocation @_noLocks
  package func patch(bank: Int, program: Int) -> Int { fatalError() }

  /// The preset that a patch is.
  @_noAllocation @_noLocks
  package func preset(of patch: Int) -> (bank: Int, program: Int) { fatalError() }

  /// The regions of a patch, in the order in which they are struck.
  @_noAllocation @_noLocks
  func regions(of patch: Int) -> UnsafeBufferPointer<Region> { fatalError() }

  /// Brings the samples of a patch into memory, so that the render thread waits for no page.
  package func load(_ patch: Int) { fatalError() }
}
