// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
package import CCoreAudio
internal import CoreAudio
package import CoreAudioHandles
internal import MusicalTime

/// A sound file that is read in a program's format.
@safe package final class ExtFileReading {
  /// The file.
  package let reader: SoundFileReader
  /// The program's format; nil until it is known.
  package private(set) var form: PCMForm?
  /// The program's order of the channels.
  private(set) var clientLayout: ChannelLabels?
  /// Frames of the program that were read since the last seek, and the frame of that seek.
  private var (readCount, start) = (0, 0)
  private var order: [Int]?
  private var scratch: [Float] = []

  private static let step = 4096

  /// Creates a reading in no format yet.
  ///
  /// - Parameter reader: the file.
  package init(_ reader: SoundFileReader) { self.reader = reader }

  /// The next frame of the file.
  var place: Int {
    let rates = (Int128(reader.rate.hertz), Int128(reader.clientRate.hertz))
    return start + Int(clamping: Int128(readCount) * rates.0 / rates.1)
  }

  /// Sets the program's format.
  ///
  /// - Parameters:
  ///   - form: the layout of the program's samples.
  ///   - quality: the quality of a change of rate.
  /// - Throws: a code for a rate that cannot be converted.
  package func setForm(_ form: PCMForm, quality: SampleRateConverter.Quality) throws(StatusError) {
    let place = place
    do throws(SoundFileError) {
      try reader.setClient(
        ClientFormat(rate: form.rate, channelCount: form.channelCount, quality: quality))
    } catch {
      throw StatusError(kAudioConverterErr_OutputSampleRateOutOfRange)
    }
    (self.form, start, readCount) = (form, place, 0)
    orderChannels()
  }

  /// Sets the order of the program's channels.
  ///
  /// - Parameter layout: the channels.
  package func setLayout(_ layout: ChannelLabels) {
    clientLayout = layout
    orderChannels()
  }

  private func orderChannels() {
    order = nil
    guard let wanted = clientLayout?.layout.roles, wanted.count == form?.channelCount,
      wanted.count == reader.channelCount, wanted != reader.layout.roles
    else { return }
    let places = wanted.map { role in reader.layout.roles.firstIndex(of: role) }
    if !places.contains(nil) { order = places.compactMap { $0 } }
  }

  /// Goes to a frame of the file.
  ///
  /// - Parameter frame: the frame.
  /// - Throws: `kExtAudioFileError_InvalidSeek`.
  package func seek(to frame: Int64) throws(StatusError) {
    guard frame >= 0, frame <= Int64(clamping: reader.frameCount),
      reader.locate(to: SampleTime(frames: frame))
    else { throw StatusError(kExtAudioFileError_InvalidSeek) }
    (start, readCount) = (Int(frame), 0)
  }

  /// Reads frames: as many as fit, except at the end.
  ///
  /// - Parameters:
  ///   - frameCount: the largest number of frames.
  ///   - list: the program's buffers; their sizes are set.
  /// - Returns: the number of frames.
  /// - Throws: a code without a format, or for buffers of another one.
  package func read(_ frameCount: Int, _ list: UnsafeMutablePointer<AudioBufferList>)
    throws(StatusError)
    -> Int
  {
    guard let form else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
    guard unsafe buffers.count == form.bufferCount else { throw .parameter }
    var capacity = frameCount
    for index in unsafe buffers.indices {
      let buffer = unsafe buffers[index]
      guard unsafe buffer.mData != nil else { throw .parameter }
      capacity = min(capacity, Int(unsafe buffer.mDataByteSize) / form.bytesPerFrame)
    }
    let count = unsafe read(capacity, form, buffers)
    readCount += count
    for index in unsafe buffers.indices {
      unsafe buffers[index].mDataByteSize = UInt32(count * form.bytesPerFrame)
    }
    return count
  }

  private func read(
    _ limit: Int, _ form: PCMForm, _ buffers: UnsafeMutableAudioBufferListPointer
  ) -> Int {
    guard limit > 0 else { return 0 }
    guard let type = form.sampleType, order == nil else {
      return unsafe convert(limit, form, buffers)
    }
    if form.bufferCount == 1, let data = unsafe buffers[0].mData {
      switch type {
      case .integer16: if let count = unsafe direct(Int16.self, limit, data) { return count }
      case .integer32: if let count = unsafe direct(Int32.self, limit, data) { return count }
      case .float32: if let count = unsafe direct(Float.self, limit, data) { return count }
      case .float64: if let count = unsafe direct(Double.self, limit, data) { return count }
      }
    } else if type == .float32 {
      return unsafe separate(limit, form, buffers)
    }
    return unsafe convert(limit, form, buffers)
  }

  /// Reads into the program's memory; nil if it is not aligned.
  private func direct<Sample: AudioSample>(
    _ type: Sample.Type, _ limit: Int, _ data: UnsafeMutableRawPointer
  ) -> Int? {
    guard Int(bitPattern: data) % MemoryLayout<Sample>.alignment == 0 else { return nil }
    let samples = unsafe data.bindMemory(to: type, capacity: limit * reader.clientChannelCount)
    let buffer = unsafe UnsafeMutableBufferPointer(
      start: samples, count: limit * reader.clientChannelCount)
    var span = unsafe buffer.mutableSpan
    return reader.read(into: &span)
  }

  /// Reads single precision into a buffer per channel.
  private func separate(
    _ limit: Int, _ form: PCMForm, _ buffers: UnsafeMutableAudioBufferListPointer
  ) -> Int {
    let channels = form.channelCount
    let size = Self.step * channels
    if scratch.count < size { scratch = Array(repeating: 0, count: size) }
    var done = 0
    while done < limit {
      let wanted = min(Self.step, limit - done)
      let count = unsafe scratch.withUnsafeMutableBufferPointer { scratch in
        var span = unsafe UnsafeMutableBufferPointer(rebasing: scratch[..<(wanted * channels)])
          .mutableSpan
        let count = reader.read(into: &span)
        for channel in 0..<channels {
          guard let data = unsafe buffers[channel].mData else { continue }
          let target = unsafe data + 4 * done
          for frame in 0..<count {
            unsafe target.storeBytes(
              of: scratch[frame * channels + channel].bitPattern, toByteOffset: 4 * frame,
              as: UInt32.self)
          }
        }
        return count
      }
      done += count
      if count < wanted { break }
    }
    return done
  }

  /// Reads any other layout.
  private func convert(
    _ limit: Int, _ form: PCMForm, _ buffers: UnsafeMutableAudioBufferListPointer
  ) -> Int {
    var done = 0
    while done < limit {
      let wanted = min(Self.step, limit - done)
      var values = ordered(samples(wanted, form), form.channelCount)
      let count = values.count / form.channelCount
      unsafe values.withUnsafeMutableBufferPointer { values in
        guard let base = values.baseAddress else { return }
        for index in 0..<form.bufferCount {
          if let data = unsafe buffers[index].mData {
            unsafe form.write(
              base, frameCount: count, buffer: index, to: data + done * form.bytesPerFrame)
          }
        }
      }
      done += count
      if count < wanted { break }
    }
    return done
  }

  /// Values that lose nothing: integers of a file as they are.
  private func samples(_ limit: Int, _ form: PCMForm) -> [Double] {
    switch form.sampleType {
    case .integer16: reader.read(Int16.self, frameCount: limit).map(\.value)
    case .integer32: reader.read(Int32.self, frameCount: limit).map(\.value)
    case .float32: reader.read(Float.self, frameCount: limit).map(\.value)
    default: reader.read(Double.self, frameCount: limit)
    }
  }

  private func ordered(_ values: [Double], _ count: Int) -> [Double] {
    guard let order else { return values }
    return stride(from: 0, to: values.count, by: count).flatMap { start in
      order.map { values[start + $0] }
    }
  }
}
