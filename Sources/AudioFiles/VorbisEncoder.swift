// SPDX-License-Identifier: Apache-2.0
internal import CSndFile
internal import Glibc

/// Encodes mono sounds as Ogg Vorbis in memory.
package enum VorbisEncoder {
  /// The rates that libvorbis supports.
  private static let rates = 1...200_000
  /// The number of frames that are encoded in one step.
  private static let step = 4096

  /// Encodes a sound.
  ///
  /// The stream decodes to the same number of frames. Its serial number is always 1, so the same
  /// frames give the same bytes.
  ///
  /// - Parameters:
  ///   - frames: The sound, full scale at ±1.
  ///   - hertz: Frames per second; a rate above 200 kHz is encoded as 200 kHz.
  ///   - quality: The quality, 0…1.
  ///   - name: The name of the sound in errors.
  /// - Returns: The bytes of the stream.
  /// - Throws: `SoundFileError.libraryMissing` or `.cannotEncode`.
  /// - Complexity: O(n) in the number of frames.
  package static func stream(
    _ frames: [Float], hertz: Int, quality: Double, name: String
  ) throws(SoundFileError) -> [UInt8] {
    guard let library = unsafe csndfile_table() else {
      throw unsafe .libraryMissing(reason: String(cString: csndfile_missing()))
    }
    let output = MemoryOutput()
    let hertz = min(max(hertz, rates.lowerBound), rates.upperBound)
    guard let handle = unsafe output.open(library, hertz: hertz) else {
      throw .cannotEncode(path: name, reason: "libsndfile cannot encode Ogg Vorbis")
    }
    var quality = quality
    unsafe _ = library.pointee.command(
      handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
    var isWhole = true
    for start in stride(from: 0, to: frames.count, by: step) where isWhole {
      let part = frames[start..<min(start + step, frames.count)]
      isWhole = unsafe part.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return false }
        return unsafe library.pointee.writef_float(handle, base, Int64(part.count)) == part.count
      }
    }
    let isClosed = unsafe library.pointee.close(handle) == 0
    var bytes = output.bytes
    guard isWhole, isClosed, OggSerial.fix(in: &bytes) else {
      throw .cannotEncode(path: name, reason: "the encoder failed")
    }
    return bytes
  }
}

/// Memory that libsndfile writes to.
@safe
private final class MemoryOutput {
  private(set) var bytes: [UInt8] = []
  private var place = MemoryPlace()

  func open(_ library: UnsafePointer<CSndFileTable>, hertz: Int) -> OpaquePointer? {
    var shape = SF_INFO()
    shape.format = Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
    shape.channels = 1
    shape.samplerate = Int32(hertz)
    var callbacks = unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe Int64(MemoryOutput.at($0).bytes.count) },
      seek: { unsafe MemoryOutput.at($2).seek($0, $1) }, read: { _, _, _ in 0 },
      write: { from, count, block in
        guard let from = unsafe from else { return 0 }
        return unsafe MemoryOutput.at(block).write(
          UnsafeRawBufferPointer(start: from, count: Int(count)))
      }, tell: { unsafe Int64(MemoryOutput.at($0).place.offset) })
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    return unsafe library.pointee.open_virtual(&callbacks, Int32(SFM_WRITE), &shape, context)
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    place.seek(offset, whence, in: bytes.count)
  }

  private func write(_ source: UnsafeRawBufferPointer) -> Int64 {
    let end = min(bytes.count, place.offset + source.count)
    unsafe bytes.replaceSubrange(place.offset..<end, with: source)
    place.offset += source.count
    return Int64(source.count)
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> MemoryOutput {
    guard let context = unsafe context else {
      preconditionFailure("internal error: libsndfile called back without a buffer")
    }
    return unsafe Unmanaged<MemoryOutput>.fromOpaque(context).takeUnretainedValue()
  }
}
