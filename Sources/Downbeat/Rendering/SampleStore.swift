// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WholeFiles

/// Samples that are kept until they are asked for again: in memory up to a bound, beyond it in a
/// file without a name, which goes away with the store.
///
/// - Note: One thread at a time. Not real-time safe.
public final class SampleStore {
  /// Samples kept.
  public private(set) var count = 0

  private let folder: String
  private let memoryLimit: Int
  private var chunks: [[Float]] = []
  private var memoryCount = 0
  /// The file, below zero until it is needed.
  private var descriptor: Int32 = -1

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - folder: where the file is made if need be; nil for that of temporary files.
  ///   - memoryLimit: the most samples that are kept in memory; 64 MiB of them at first.
  public init(folder: String? = nil, memoryLimit: Int = 1 << 24) {
    self.folder = folder ?? PrivateFolder.temporary
    self.memoryLimit = memoryLimit
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Keeps samples behind those that are there.
  ///
  /// - Throws: `OutputFileError.cannotCreate` or `.cannotWrite` where the disk does not take them.
  /// - Complexity: O(n).
  public func append(_ samples: Span<Float>) throws(OutputFileError) {
    count += samples.count
    if descriptor < 0, memoryCount + samples.count <= memoryLimit {
      memoryCount += samples.count
      chunks.append(samples.indices.map { samples[$0] })
    } else {
      try write(samples)
    }
  }

  /// Hands out all samples, some thousands at a time, in order.
  ///
  /// - Parameter body: takes samples; returns whether to go on.
  /// - Throws: what the body throws; `OutputFileError.cannotWrite` where they cannot be read back.
  /// - Complexity: O(n).
  public func forEach(_ body: (Span<Float>) throws -> Bool) throws {
    var position = Position()
    while true {
      let samples = try next(after: &position)
      guard !samples.isEmpty, try body(samples.span) else { return }
    }
  }

  /// How far a reader is.
  struct Position {
    fileprivate var chunk = 0
    fileprivate var offset = 0
  }

  /// The next samples, some thousands; none at the end.
  func next(after position: inout Position) throws(OutputFileError) -> [Float] {
    if position.chunk < chunks.count {
      position.chunk += 1
      return chunks[position.chunk - 1]
    }
    guard descriptor >= 0 else { return [] }
    let stride = MemoryLayout<Float>.stride
    var samples = [Float](repeating: 0, count: min(8192, count - memoryCount - position.offset))
    var done = 0
    let wanted = samples.count * stride
    while done < wanted {
      let step = unsafe samples.withUnsafeMutableBytes { bytes in
        unsafe pread(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, wanted - done,
          position.offset * stride + done)
      }
      if step > 0 {
        done += step
      } else if step == 0 || errno != EINTR {
        throw .cannotWrite(path: name, code: step == 0 ? EIO : errno)
      }
    }
    position.offset += samples.count
    return samples
  }

  private var name: String { "\(folder): temporary sound file" }

  private func write(_ samples: Span<Float>) throws(OutputFileError) {
    if descriptor < 0 { try open() }
    let code: Int32 = unsafe samples.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let step = unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done)
        if step >= 0 {
          done += step
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    guard code == 0 else { throw .cannotWrite(path: name, code: code) }
  }

  private func open() throws(OutputFileError) {
    do throws(PrivateFolder.Refusal) {
      descriptor = try PrivateFolder.unnamedFile(in: folder)
    } catch {
      throw .cannotCreate(path: name, code: error.code)
    }
  }
}
