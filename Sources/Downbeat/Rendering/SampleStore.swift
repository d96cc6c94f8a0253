// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import WholeFiles

/// Stores samples in memory, and from a limit on in a temporary file that is deleted with the
/// store.
///
/// - Note: One thread at a time. Not real-time safe.
public final class SampleStore {
  /// The number of stored samples, of all channels together.
  public private(set) var count = 0

  private let folder: String
  private let memoryLimit: Int
  private var chunks: [[Float]] = []
  private var memoryCount = 0
  /// The descriptor of the file; negative until a file is needed.
  private var descriptor: Int32 = -1

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - folder: The folder for the file, if one is needed; nil, the default, for the folder of
  ///     temporary files.
  ///   - memoryLimit: The maximum number of samples in memory; the default is 16 777 216, which are
  ///     64 MiB.
  public init(folder: String? = nil, memoryLimit: Int = 1 << 24) {
    self.folder = folder ?? PrivateFolder.temporary
    self.memoryLimit = memoryLimit
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Appends samples to the store.
  ///
  /// - Throws: `OutputFileError.cannotCreate` or `.cannotWrite` if the file cannot be written.
  /// - Complexity: O(n) in the number of samples.
  public func append(_ samples: Span<Float>) throws(OutputFileError) {
    count += samples.count
    if descriptor < 0, memoryCount + samples.count <= memoryLimit {
      memoryCount += samples.count
      chunks.append(samples.indices.map { samples[$0] })
    } else {
      try write(samples)
    }
  }

  /// Passes all samples to a closure in order, in blocks of varying size.
  ///
  /// - Parameter body: Receives samples; returns false to stop.
  /// - Throws: The errors of the body; `OutputFileError.cannotWrite` if the file cannot be read.
  /// - Complexity: O(n) in the number of samples.
  public func forEach(_ body: (Span<Float>) throws -> Bool) throws {
    var position = Position()
    while true {
      let samples = try next(after: &position)
      guard !samples.isEmpty, try body(samples.span) else { return }
    }
  }

  /// The position of a reader.
  struct Position {
    fileprivate var chunk = 0
    fileprivate var offset = 0
  }

  /// The next block of samples; empty at the end.
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
