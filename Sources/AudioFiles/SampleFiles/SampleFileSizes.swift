// SPDX-License-Identifier: Apache-2.0

/// The fields of a file that depend on the size of its samples.
///
/// Sources: those of `SampleFileHead`.
struct SampleFileSizes {
  /// The size that a field contains.
  private enum Quantity {
    /// The bytes of the file, minus a number.
    case file(less: Int64)
    /// The bytes of the samples, plus a number.
    case samples(plus: Int64)
    case frames
  }

  private struct Field {
    let offset: Int64
    let byteCount: Int
    let isLittleEndian: Bool
    let quantity: Quantity
  }

  private var fields: [Field] = []
  private static let chunkLimit = 1000

  /// Finds the fields in the header; nil for a damaged file.
  init?(of stream: FileStream, _ container: SampleContainer, isLittleEndian: Bool) {
    let isFound =
      switch container {
      case .wave, .rf64: findRiff(stream, isLittleEndian: isLittleEndian)
      case .wave64: findWave64(stream)
      case .aiff, .aifc: findAIFF(stream)
      case .caf: findCAF(stream)
      case .au: findAU(isLittleEndian: isLittleEndian)
      }
    guard isFound else { return nil }
  }

  /// The contents of all fields, with their positions; nil if a size is too large for its field.
  ///
  /// - Parameters:
  ///   - samples: The bytes of the samples.
  ///   - file: The bytes of the file.
  ///   - frames: The number of frames.
  /// - Returns: The fields, or nil.
  func bytes(samples: Int64, file: Int64, frames: Int64) -> [(offset: Int64, bytes: [UInt8])]? {
    var found: [(offset: Int64, bytes: [UInt8])] = []
    for field in fields {
      let value =
        switch field.quantity {
        case .file(let less): file - less
        case .samples(let plus): samples + plus
        case .frames: frames
        }
      guard field.byteCount == 8 || (0..<1 << 32).contains(value) else { return nil }
      let bytes = Little.bytes(Int(value), field.byteCount)
      found.append((field.offset, field.isLittleEndian ? bytes : bytes.reversed()))
    }
    return found
  }

  private mutating func add(
    _ offset: Int64, _ byteCount: Int, _ quantity: Quantity, isLittleEndian: Bool = false
  ) {
    fields.append(
      Field(
        offset: offset, byteCount: byteCount, isLittleEndian: isLittleEndian, quantity: quantity))
  }
}

extension SampleFileSizes {
  private mutating func findRiff(_ stream: FileStream, isLittleEndian: Bool) -> Bool {
    guard let head = stream.bytes(at: 0, 12) else { return false }
    let isLong = head[1] != UInt8(ascii: "I")
    if !isLong { add(4, 4, .file(less: 8), isLittleEndian: isLittleEndian) }
    return walk(stream, from: 12, isLittleEndian: isLittleEndian) { sizes, name, place in
      switch name {
      case "ds64":
        sizes.add(place + 8, 8, .file(less: 8), isLittleEndian: true)
        sizes.add(place + 16, 8, .samples(plus: 0), isLittleEndian: true)
        sizes.add(place + 24, 8, .frames, isLittleEndian: true)
      case "fact" where !isLong:
        sizes.add(place + 8, 4, .frames, isLittleEndian: isLittleEndian)
      case "data":
        if !isLong { sizes.add(place + 4, 4, .samples(plus: 0), isLittleEndian: isLittleEndian) }
        return true
      default: break
      }
      return false
    }
  }

  private mutating func findAIFF(_ stream: FileStream) -> Bool {
    add(4, 4, .file(less: 8))
    return walk(stream, from: 12, isLittleEndian: false) { sizes, name, place in
      if name == "COMM" { sizes.add(place + 10, 4, .frames) }
      guard name == "SSND", let gap = stream.bytes(at: place + 8, 4)?[...].number(0, 4) else {
        return false
      }
      sizes.add(place + 4, 4, .samples(plus: 8 + Int64(gap)))
      return true
    }
  }

  /// Calls a function for each chunk until it returns true; returns false if it never does.
  private mutating func walk(
    _ stream: FileStream, from start: Int64, isLittleEndian: Bool,
    _ found: (inout SampleFileSizes, String, Int64) -> Bool
  ) -> Bool {
    var place = start
    for _ in 0..<Self.chunkLimit {
      guard let head = stream.bytes(at: place, 8),
        let size = head[...].number(4, 4, isLittleEndian: isLittleEndian)
      else { return false }
      if found(&self, MP4Box.latin(head[..<4]), place) { return true }
      place += 8 + Int64(size) + Int64(size % 2)
    }
    return false
  }

  private mutating func findCAF(_ stream: FileStream) -> Bool {
    var place: Int64 = 8
    for _ in 0..<Self.chunkLimit {
      guard let head = stream.bytes(at: place, 12) else { return false }
      if MP4Box.latin(head[..<4]) == "data" {
        add(place + 4, 8, .samples(plus: 4))
        return true
      }
      guard let size = head[...].number(4, 8), size >= 0, size < 1 << 50 else { return false }
      place += 12 + Int64(size)
    }
    return false
  }

  private mutating func findWave64(_ stream: FileStream) -> Bool {
    add(16, 8, .file(less: 0), isLittleEndian: true)
    var place: Int64 = 40
    for _ in 0..<Self.chunkLimit {
      guard let head = stream.bytes(at: place, 24) else { return false }
      let name = MP4Box.latin(head[..<4])
      if name == "data" {
        add(place + 16, 8, .samples(plus: 24), isLittleEndian: true)
        return true
      }
      if name == "fact" { add(place + 24, 8, .frames, isLittleEndian: true) }
      guard let size = head[...].number(16, 8, isLittleEndian: true), size >= 24, size < 1 << 50
      else { return false }
      place += Int64((size + 7) / 8 * 8)
    }
    return false
  }

  private mutating func findAU(isLittleEndian: Bool) -> Bool {
    add(8, 4, .samples(plus: 0), isLittleEndian: isLittleEndian)
    return true
  }
}
