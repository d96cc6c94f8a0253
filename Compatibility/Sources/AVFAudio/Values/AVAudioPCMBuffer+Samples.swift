// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio

extension AVAudioPCMBuffer {
  /// Stores interleaved samples of the type of the format.
  ///
  /// - Precondition: the samples are whole frames, and fit the capacity.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - frame: The first frame that is stored.
  func store<Sample: BitwiseCopyable>(_ samples: [Sample], at frame: Int) {
    let channels = Int(format.channelCount)
    let count = samples.count / channels
    precondition(frame + count <= Int(frameCapacity), "samples beyond the capacity of a buffer")
    unsafe samples.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      guard format.asbd.isPlanar, channels > 1 else {
        guard let target = unsafe memory.data(0)?.assumingMemoryBound(to: Sample.self) else {
          return
        }
        unsafe (target + frame * channels).update(from: base, count: count * channels)
        return
      }
      for channel in 0..<channels {
        guard let target = unsafe memory.data(channel)?.assumingMemoryBound(to: Sample.self) else {
          continue
        }
        for index in 0..<count {
          unsafe target[frame + index] = base[index * channels + channel]
        }
      }
    }
  }

  /// Returns interleaved samples of the type of the format.
  ///
  /// - Parameters:
  ///   - type: The type of the format.
  ///   - frames: The frames, within the capacity.
  /// - Returns: The samples.
  func interleaved<Sample: BitwiseCopyable & ExpressibleByIntegerLiteral>(
    _ type: Sample.Type, _ frames: Range<Int>
  ) -> [Sample] {
    precondition(frames.upperBound <= Int(frameCapacity), "frames beyond the capacity of a buffer")
    let channels = Int(format.channelCount)
    let isPlanar = format.asbd.isPlanar
    return unsafe [Sample](unsafeUninitializedCapacity: frames.count * channels) { target, count in
      for channel in 0..<(isPlanar ? channels : 1) {
        guard let source = unsafe memory.data(channel)?.assumingMemoryBound(to: Sample.self)
        else { continue }
        if isPlanar {
          for (index, frame) in frames.enumerated() {
            unsafe target.initializeElement(
              at: index * channels + channel, to: source[frame])
          }
        } else {
          for index in 0..<frames.count * channels {
            unsafe target.initializeElement(
              at: index, to: source[frames.lowerBound * channels + index])
          }
        }
      }
      count = unsafe memory.data(0) == nil ? 0 : frames.count * channels
    }
  }
}

extension AVAudioPCMBuffer {
  /// The frames of the buffer as interleaved samples of single precision.
  var floats: [Float] {
    let frames = 0..<Int(frameLength)
    switch format.commonFormat {
    case .pcmFormatFloat32: return interleaved(Float.self, frames)
    case .pcmFormatFloat64: return interleaved(Double.self, frames).map(Float.init)
    case .pcmFormatInt16: return interleaved(Int16.self, frames).map { Float($0.value) }
    case .pcmFormatInt32: return interleaved(Int32.self, frames).map { Float($0.value) }
    case .otherFormat: return otherFloats
    }
  }

  private var otherFloats: [Float] {
    guard let form = PCMForm(format.asbd) else { return [] }
    let count = Int(frameLength)
    var values = [Double](repeating: 0, count: count * form.channelCount)
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      for index in 0..<form.bufferCount {
        guard let bytes = unsafe memory.data(index) else { continue }
        unsafe form.read(bytes, frameCount: count, buffer: index, to: base)
      }
    }
    return values.map(Float.init)
  }

  /// Stores interleaved samples of single precision from the first frame on, and sets the length.
  ///
  /// - Precondition: the samples fit the capacity.
  func store(floats: [Float]) {
    switch format.commonFormat {
    case .pcmFormatFloat32: store(floats, at: 0)
    case .pcmFormatFloat64: store(floats.map(Double.init), at: 0)
    case .pcmFormatInt16: store(floats.map { Int16.nearest(to: Double($0)) }, at: 0)
    case .pcmFormatInt32: store(floats.map { Int32.nearest(to: Double($0)) }, at: 0)
    case .otherFormat: storeOther(floats)
    }
    frameLength = AVAudioFrameCount(floats.count / Int(format.channelCount))
  }

  private func storeOther(_ floats: [Float]) {
    guard let form = PCMForm(format.asbd) else { return }
    var values = floats.map(Double.init)
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      for index in 0..<form.bufferCount {
        guard let bytes = unsafe memory.data(index) else { continue }
        unsafe form.write(
          base, frameCount: floats.count / form.channelCount, buffer: index, to: bytes)
      }
    }
  }
}
