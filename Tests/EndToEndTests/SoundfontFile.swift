// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the soundfont test reads from an SF2 file.
struct SoundfontFile {
  struct Address: Equatable {
    let bank: Int
    let program: Int
  }

  struct Preset {
    let name: String
    let address: Address
  }

  struct Sample {
    let name: String
    let start: Int
    let end: Int
    let loopStart: Int
    let loopEnd: Int
    let rate: Int
  }

  struct Zone {
    var keys = 0...127
    var velocities = 0...127
    var isLooped = false
    var exclusiveClass = 0
    var sample = 0
  }

  enum Defect: Error { case unreadable, malformed }

  private(set) var frames: [Int16] = []
  private var tables: [String: [UInt8]] = [:]

  /// The font that is committed in the package.
  static func committed() throws -> SoundfontFile {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(root)/Soundfonts/Downbeat.sf2"
    guard let file = unsafe fopen(path, "rb") else { throw Defect.unreadable }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 20)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return try SoundfontFile(Array(bytes.prefix(count)))
  }

  init(_ bytes: [UInt8]) throws {
    guard bytes.count > 12, bytes.prefix(4).elementsEqual("RIFF".utf8) else {
      throw Defect.malformed
    }
    for (name, list) in try Self.chunks(bytes[12...]) where name == "LIST" {
      for (name, content) in try Self.chunks(list.dropFirst(4)) { tables[name] = Array(content) }
    }
    let raw = tables["smpl"] ?? []
    frames = stride(from: 0, to: raw.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8)
    }
  }

  private static func chunks(
    _ bytes: ArraySlice<UInt8>
  ) throws -> [(String, ArraySlice<UInt8>)] {
    var result: [(String, ArraySlice<UInt8>)] = []
    var rest = bytes
    while rest.count >= 8 {
      let name = String(decoding: rest.prefix(4), as: UTF8.self)
      let size = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(8)
      guard size <= rest.count else { throw Defect.malformed }
      result.append((name, rest.prefix(size)))
      rest = rest.dropFirst(size + size % 2)
    }
    return result
  }

  private func word(_ table: String, _ offset: Int) -> Int {
    let bytes = tables[table] ?? []
    return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  private func long(_ table: String, _ offset: Int) -> Int {
    word(table, offset) | word(table, offset + 2) << 16
  }

  private func name(_ table: String, _ offset: Int) -> String {
    let field = (tables[table] ?? [])[offset..<offset + 20]
    return String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  private func count(_ table: String, _ size: Int) -> Int { (tables[table] ?? []).count / size - 1 }

  var presets: [Preset] {
    (0..<count("phdr", 38)).map { index in
      Preset(
        name: name("phdr", index * 38),
        address: Address(
          bank: word("phdr", index * 38 + 22), program: word("phdr", index * 38 + 20)))
    }
  }

  var samples: [Sample] {
    (0..<count("shdr", 46)).map { index in
      let at = index * 46
      return Sample(
        name: name("shdr", at), start: long("shdr", at + 20), end: long("shdr", at + 24),
        loopStart: long("shdr", at + 28), loopEnd: long("shdr", at + 32),
        rate: long("shdr", at + 36))
    }
  }

  /// The generators of the zones a header's bags span.
  private func generators(
    _ header: String, _ size: Int, _ bagField: Int, _ index: Int, _ prefix: String
  ) -> [[(kind: Int, value: Int)]] {
    let first = word(header, index * size + bagField)
    let last = word(header, (index + 1) * size + bagField)
    return (first..<last).map { bag in
      let from = word(prefix + "bag", bag * 4)
      let to = word(prefix + "bag", bag * 4 + 4)
      return (from..<to).map { (word(prefix + "gen", $0 * 4), word(prefix + "gen", $0 * 4 + 2)) }
    }
  }

  /// The zones with samples that a preset's instruments have.
  func zones(ofPreset index: Int) -> [Zone] {
    let instruments = generators("phdr", 38, 24, index, "p").compactMap { zone in
      zone.last { $0.kind == 41 }?.value
    }
    return instruments.flatMap { instrument in
      generators("inst", 22, 20, instrument, "i").compactMap { zone in
        zone.last?.kind == 53 ? Self.zone(zone) : nil
      }
    }
  }

  private static func zone(_ generators: [(kind: Int, value: Int)]) -> Zone {
    var zone = Zone()
    for (kind, value) in generators {
      switch kind {
      case 43: zone.keys = (value & 0xFF)...(value >> 8)
      case 44: zone.velocities = (value & 0xFF)...(value >> 8)
      case 53: zone.sample = value
      case 54: zone.isLooped = value & 1 == 1
      case 57: zone.exclusiveClass = value
      default: break
      }
    }
    return zone
  }
}
