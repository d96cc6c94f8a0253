// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import SoundFontVoices

@Suite struct ModulatorTests {
  private typealias Zone = FontBuilder.Zone
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// The modulators of a note, each as source, generator, amount and amount source.
  private func modulators(
    preset: [[[Int]]] = [[]], instrument: [[[Int]]] = [[]]
  ) throws -> [[Int]] {
    let zones = { (link: Int, lists: [[[Int]]]) in
      lists.enumerated().map { index, list in
        Zone(index == lists.count - 1 ? [(link, 0)] : [(9, 0)], list)
      }
    }
    let font = FontBuilder(preset: zones(41, preset), instrument: zones(53, instrument))
    let bank = try PatchBank(fontAt: scratch.write("font.sf2", font.bytes))
    return bank.list()[0].modulatorList.map {
      [Int($0.source), Int($0.generator), Int($0.amount), Int($0.amountSource)]
    }
  }

  /// Velocity, pressure, wheel, volume, pan, expression, sends, bend, balance, key pressure.
  private let standard = [
    [0x502, 48, 960, 0], [0x00D, 6, 50, 0], [0x081, 6, 50, 0], [0x587, 48, 960, 0],
    [0x28A, 17, 500, 0], [0x58B, 48, 960, 0], [0x0DB, 16, 200, 0], [0x0DD, 15, 200, 0],
    [0x20E, 52, 12_700, 0x10], [0x688, 60, 960, 0], [0x00A, 6, 50, 0],
  ]

  @Test func `a note has the standard's modulators`() throws {
    #expect(try modulators() == standard)
  }

  @Test func `a font's default modulators replace the standard's`() throws {
    var font = FontBuilder(
      instrument: [Zone([(53, 0)], [[0x587, 48, 480, 0, 0], [0x0C1, 8, 30, 0, 0]])])
    font.defaultModulators = [[0x502, 48, 700, 0, 0], [0x587, 48, 960, 0, 0]]
    let bank = try PatchBank(fontAt: scratch.write("font.sf2", font.bytes))
    let list = bank.list()[0].modulatorList.map {
      [Int($0.source), Int($0.generator), Int($0.amount)]
    }
    #expect(list == [[0x502, 48, 700], [0x587, 48, 480], [0x0C1, 8, 30]])
  }

  @Test func `an instrument's modulators replace equal ones, and amount 0 removes them`() throws {
    var expected = standard
    expected[0][2] = 480
    expected.remove(at: 2)
    let list = try modulators(
      instrument: [[[0x502, 48, 480, 0, 0], [0x081, 6, 0, 0, 0], [0x0C1, 8, 30, 0, 0]]])
    #expect(list == expected + [[0x0C1, 8, 30, 0]])
  }

  @Test func `a preset's modulators are added to equal ones`() throws {
    var expected = standard
    expected[3][2] = 900
    let list = try modulators(
      preset: [[[0x587, 48, -60, 0, 0], [0x0C1, 8, 7, 0, 0]]],
      instrument: [[[0x0C1, 8, 30, 0, 0]]])
    #expect(list == expected + [[0x0C1, 8, 37, 0]])
  }

  @Test func `a zone's modulators override the global zone's, on both levels`() throws {
    let list = try modulators(
      preset: [[[0x0C1, 8, 1, 0, 0], [0x0C2, 8, 2, 0, 0]], [[0x0C1, 8, 4, 0, 0]]],
      instrument: [[[0x0C1, 8, 100, 0, 0], [0x0C3, 8, 300, 0, 0]], [[0x0C1, 8, 10, 0, 0]]])
    #expect(
      list.suffix(3) == [[0x0C1, 8, 14, 0], [0x0C3, 8, 300, 0], [0x0C2, 8, 2, 0]])
  }

  @Test func `of two equal modulators in a zone the last is used`() throws {
    let list = try modulators(
      instrument: [[[0x0C1, 8, 1, 0, 0], [0x0C2, 8, 2, 0, 0], [0x0C1, 8, 3, 0, 0]]])
    #expect(list.suffix(2) == [[0x0C2, 8, 2, 0], [0x0C1, 8, 3, 0]])
  }

  @Test(arguments: [
    [0, 8, 5, 0, 0], [0x7F, 8, 5, 0, 0], [0x11, 8, 5, 0, 0], [0x80, 8, 5, 0, 0],
    [0xE2, 8, 5, 0, 0], [0xF8, 8, 5, 0, 0], [0x81, 8, 5, 0x86, 0], [0x81, 8, 5, 0x04, 0],
    [0x81, 0x8001, 5, 0, 0], [0x81, 61, 5, 0, 0],
  ])
  func `a modulator with an invalid source or destination is left out`(modulator: [Int]) throws {
    #expect(try modulators(instrument: [[modulator]]) == standard)
  }

  @Test(arguments: [(0x502, 1), (0x502 | 0x1000, 0)])
  func `an unknown transform or curve disables its modulator`(
    source: Int, transform: Int
  ) throws {
    // An unknown curve also makes the source differ, so that it does not replace a standard
    // modulator.
    let list = try modulators(instrument: [[[source, 48, 5, 0, transform]]])
    #expect(list == (transform == 1 ? Array(standard.dropFirst()) : standard))
  }

  @Test func `the standard's modulator from velocity to the filter is ignored`() throws {
    #expect(try modulators(instrument: [[[0x102, 8, -1000, 0xC02, 0]]]) == standard)
    let list = try modulators(instrument: [[[0x102, 8, -1000, 0xD02, 0]]])
    #expect(list == standard + [[0x102, 8, -1000, 0xD02]])
  }

  @Test func `a note has at most 64 modulators`() throws {
    let many = (0..<70).map { [0x0C1 + $0 % 10, 8 + $0 / 10, 5, 0, 0] }
    // Twelve are the standard's, one of them without effect.
    #expect(try modulators(instrument: [many]).count == 63)
  }
}
