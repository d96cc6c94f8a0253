// SPDX-License-Identifier: Apache-2.0
import SoundFontFiles
import TestSupport
import Testing

@Suite struct DLSConditionTests {
  private static let supportsDLS2: [UInt8] =
    TinyDLS.number(0xF145_99E5) + TinyDLS.number(0x4689, 2) + TinyDLS.number(0x11D2, 2)
    + [0xAF, 0xA6, 0, 0xAA, 0, 0x24, 0xD8, 0xB6]
  private static let hasXG: [UInt8] =
    TinyDLS.number(0x178F_2F26) + TinyDLS.number(0xC364, 2) + TinyDLS.number(0x11D1, 2)
    + [0xA7, 0x60, 0, 0, 0xF8, 0x75, 0xAC, 0x12]

  private static func constant(_ value: Int) -> [UInt8] {
    TinyDLS.number(0x10, 2) + TinyDLS.number(value)
  }

  private static func operation(_ code: Int) -> [UInt8] { TinyDLS.number(code, 2) }

  /// The number of zones of a file whose only region has a condition.
  private func zoneCount(_ program: [UInt8]) throws -> Int {
    var file = TinyDLS()
    file.instruments[0].regions[0].extra = TinyDLS.chunk("cdl ", program)
    let (tables, _) = try SoundFontTables.open(FontBytes(file.bytes))
    return tables.zones(ofInstrument: 0).count
  }

  @Test(arguments: [
    // The operation; the operand that is pushed first, then the topmost; the result.
    (1, 6, 3, 2), (2, 4, 3, 7), (3, 6, 3, 5), (4, 2, 3, 5), (5, 2, 3, 1), (6, 2, 3, 6),
    (7, 2, 7, 3), (8, 0, 3, 0), (8, 1, 3, 1), (9, 0, 0, 0), (9, 0, 2, 1), (10, 3, 2, 1),
    (10, 2, 3, 0), (11, 2, 2, 1), (12, 2, 3, 1), (12, 3, 2, 0), (13, 2, 2, 1), (14, 2, 2, 1),
    (14, 2, 3, 0), (4, 0xFFFF_FFFF, 1, 0), (5, 1, 0, 0xFFFF_FFFF),
  ])
  func `operations take the topmost number first`(
    code: Int, second: Int, first: Int, result: Int
  ) throws {
    let program = Self.constant(second) + Self.constant(first) + Self.operation(code)
    let equals = program + Self.constant(result) + Self.operation(14)
    #expect(try zoneCount(equals) == 1)
    #expect(try zoneCount(equals + Self.operation(15)) == 0)
  }

  @Test func `queries return the properties of Downbeat`() throws {
    #expect(try zoneCount(Self.operation(0x11) + Self.supportsDLS2) == 1)
    #expect(try zoneCount(Self.operation(0x11) + Self.hasXG) == 0)
    #expect(try zoneCount(Self.operation(0x12) + Self.hasXG) == 1)
    let unknown = [UInt8](repeating: 7, count: 16)
    #expect(try zoneCount(Self.operation(0x12) + unknown) == 0)
    #expect(try zoneCount(Self.operation(0x11) + unknown) == 0)
  }

  @Test(arguments: [
    [], operation(1), constant(1) + operation(1), operation(99), operation(0x10) + [1, 2],
    constant(0) + constant(4) + operation(7), operation(0x11) + [1],
    (0..<300).flatMap { constant($0) },
  ])
  func `a condition that cannot be evaluated is reported, and its list is used`(
    program: [UInt8]
  ) throws {
    var file = TinyDLS()
    file.instruments[0].regions[0].extra = TinyDLS.chunk("cdl ", program)
    let (tables, bytes) = try SoundFontTables.open(FontBytes(file.bytes))
    #expect(tables.zones(ofInstrument: 0).count == 1)
    let findings = try tables.findings(in: bytes).map(\.description)
    #expect(findings.count == 1)
    #expect(findings[0].contains("cannot be evaluated, the list is used"))
  }

  @Test func `a list of connections can have a condition`() throws {
    var file = TinyDLS()
    let list = TinyDLS.articulation([(0, 0, 0x206, 0, -2400)])
    file.instruments[0].articulation = TinyDLS.list(
      "lar2", TinyDLS.chunk("cdl ", Self.constant(0)) + list.dropFirst(12))
    let (tables, _) = try SoundFontTables.open(FontBytes(file.bytes))
    #expect(tables.zones(ofInstrument: 0)[0].generators[34] == nil)
  }

  @Test func `a file whose condition is not met is refused`() throws {
    var file = TinyDLS()
    file.extra = TinyDLS.chunk("cdl ", Self.constant(0))
    #expect(
      throws: SoundFontError.notSoundFont(reason: "its condition excludes this player")
    ) {
      _ = try SoundFontTables.open(FontBytes(file.bytes))
    }
  }
}
