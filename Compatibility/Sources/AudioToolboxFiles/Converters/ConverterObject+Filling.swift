// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
package import CCoreAudio
internal import CoreAudio
package import CoreAudioHandles
internal import CoreAudioTypes

/// The function that gives a converter its input, with the program's data.
@safe package struct ConverterCallback {
  private let function: AudioConverterComplexInputDataProc
  private let data: UnsafeMutableRawPointer?
  private let converter: AudioConverterRef

  /// Creates a callback.
  package init(
    _ function: @escaping AudioConverterComplexInputDataProc, _ data: UnsafeMutableRawPointer?,
    _ converter: AudioConverterRef
  ) {
    unsafe self.function = function
    unsafe self.data = data
    unsafe self.converter = converter
  }

  /// Asks for packets.
  ///
  /// - Parameters:
  ///   - packetCount: the number of packets that are needed; afterwards of those that were given.
  ///   - list: the buffers.
  ///   - descriptions: the packets in the buffer, or nil if all have the same size.
  /// - Returns: the callback's status.
  func ask(
    _ packetCount: inout UInt32, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    unsafe function(converter, &packetCount, list, descriptions, data)
  }
}

extension ConverterObject {
  /// Converts, with input from a callback.
  ///
  /// - Parameters:
  ///   - callback: gives the input.
  ///   - packetCount: the number of packets that fit; afterwards of those that were made.
  ///   - list: the buffers.
  ///   - descriptions: memory for the descriptions of the packets; may be nil.
  /// - Throws: the callback's status, or an error of the converter; the packets that were made
  ///   before are counted.
  package func fill(
    _ callback: ConverterCallback, _ packetCount: inout UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(StatusError) {
    guard !isFilling else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
    isFilling = true
    defer {
      isFilling = false
      if case .samples(var samples) = input {
        input = .packets(PacketInput())
        samples.keep()
        input = .samples(samples)
      }
    }
    switch output {
    case .samples(let form): try unsafe fillSamples(callback, &packetCount, list, form)
    case .packets: try unsafe fillPackets(callback, &packetCount, list, descriptions)
    }
  }

  private func fillSamples(
    _ callback: ConverterCallback, _ frameCount: inout UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>, _ form: PCMForm
  ) throws(StatusError) {
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
    guard unsafe buffers.count == form.bufferCount else { throw .parameter }
    var capacity = Int(frameCount)
    for index in unsafe buffers.indices {
      let buffer = unsafe buffers[index]
      guard unsafe buffer.mData != nil else { throw .parameter }
      capacity = min(capacity, Int(unsafe buffer.mDataByteSize) / form.bytesPerFrame)
    }
    guard capacity > 0 || frameCount == 0 else {
      throw StatusError(kAudioConverterErr_InvalidOutputSize)
    }
    var done = 0
    defer {
      for index in unsafe buffers.indices {
        unsafe buffers[index].mDataByteSize = UInt32(done * form.bytesPerFrame)
      }
      frameCount = UInt32(done)
    }
    while done < capacity {
      let count = unsafe take(capacity - done, form, to: buffers, at: done)
      done += count
      if count > 0 { continue }
      if isDone { break }
      try feed(callback, frameCount: capacity - done)
    }
  }

  /// True if nothing follows.
  private var isDone: Bool { isEnded && conversion?.isFinished ?? true }

  /// Writes frames that are ready.
  private func take(
    _ limit: Int, _ form: PCMForm, to buffers: UnsafeMutableAudioBufferListPointer, at offset: Int
  ) -> Int {
    if isCopy, case .samples(var samples) = input {
      input = .packets(PacketInput())
      let count = unsafe samples.copy(to: buffers, at: offset, limit: limit)
      input = .samples(samples)
      return count
    }
    return unsafe takeConverted(limit, form, to: buffers, at: offset)
  }

  private func takeConverted(
    _ limit: Int, _ form: PCMForm, to buffers: UnsafeMutableAudioBufferListPointer, at offset: Int
  ) -> Int {
    var values = conversion?.take(min(limit, Self.step)) ?? []
    let count = values.count / form.channelCount
    guard count > 0 else { return 0 }
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let base = values.baseAddress else { return }
      for index in 0..<form.bufferCount {
        if let target = unsafe buffers[index].mData {
          unsafe form.write(
            base, frameCount: count, buffer: index, to: target + offset * form.bytesPerFrame)
        }
      }
    }
    return count
  }

  /// True if the output's bytes are the input's.
  private var isCopy: Bool {
    guard case .samples(let samples) = input, case .samples(let form) = output else { return false }
    return samples.form == form && conversion?.isIdentity == true
  }

  private func fillPackets(
    _ callback: ConverterCallback, _ packetCount: inout UInt32,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(StatusError) {
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
    guard unsafe buffers.count == 1, let data = unsafe buffers[0].mData else { throw .parameter }
    let (capacity, limit) = (Int(unsafe buffers[0].mDataByteSize), Int(packetCount))
    var (done, size) = (0, 0)
    defer {
      unsafe buffers[0].mDataByteSize = UInt32(size)
      packetCount = UInt32(done)
    }
    while done < limit {
      if let packet = takePacket(room: capacity - size) {
        unsafe packet.withUnsafeBytes { bytes in
          unsafe UnsafeMutableRawBufferPointer(start: data + size, count: bytes.count)
            .copyMemory(from: bytes)
        }
        unsafe descriptions?[done] = AudioStreamPacketDescription(
          mStartOffset: Int64(size), mVariableFramesInPacket: 0,
          mDataByteSize: UInt32(packet.count))
        (done, size) = (done + 1, size + packet.count)
        continue
      }
      guard case .packets(let encoding) = output else { return }
      if encoding.first != nil {
        if done == 0 { throw StatusError(kAudioConverterErr_InvalidOutputSize) }
        return
      }
      if encoding.isFinished { return }
      if try !encode() {
        try feed(callback, frameCount: (limit - done) * encoding.framesPerPacket)
      }
    }
  }

  private func takePacket(room: Int) -> [UInt8]? {
    guard case .packets(var encoding) = output, let packet = encoding.first,
      packet.bytes.count <= room
    else { return nil }
    encoding.removeFirst()
    output = .packets(encoding)
    return packet.bytes
  }

  /// Gives the encoder the frames that are ready, or the end; false for neither.
  private func encode() throws(StatusError) -> Bool {
    guard case .packets(var encoding) = output, let channelCount = conversion?.channelCount else {
      return false
    }
    let samples = conversion?.take(Self.step) ?? []
    guard !samples.isEmpty || isDone else { return false }
    do {
      if samples.isEmpty {
        try encoding.finish()
      } else {
        try encoding.add(samples, channelCount: channelCount)
      }
    } catch {
      throw StatusError(kAudioConverterErr_UnspecifiedError)
    }
    output = .packets(encoding)
    return true
  }
}

extension ConverterObject {
  /// Converts input that is there, or asks for more.
  private func feed(_ callback: ConverterCallback, frameCount: Int) throws(StatusError) {
    if try advance() { return }
    if isEnded { return }
    let frames = conversion?.missing(for: frameCount) ?? frameCount
    let framesPerPacket = max(1, Int(source.mFramesPerPacket))
    var packetCount = UInt32(clamping: (frames + framesPerPacket - 1) / framesPerPacket)
    if source.mFramesPerPacket == 0 { packetCount = 1 }
    var form: PCMForm?
    if case .samples(let samples) = input { form = samples.form }
    let list = unsafe AudioBufferList.allocate(maximumBuffers: form?.bufferCount ?? 1)
    defer { unsafe free(list.unsafeMutablePointer) }
    for index in unsafe list.indices {
      unsafe list[index].mNumberChannels =
        form?.isInterleaved == false ? 1 : source.mChannelsPerFrame
    }
    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    let status = unsafe withUnsafeMutablePointer(to: &descriptions) { descriptions in
      unsafe callback.ask(
        &packetCount, list.unsafeMutablePointer,
        source.needsPacketDescriptions ? descriptions : nil)
    }
    guard status == noErr else { throw StatusError(status) }
    guard packetCount > 0 else { return try finish() }
    try unsafe accept(list.unsafeMutablePointer, Int(packetCount), descriptions)
  }

  private func accept(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ count: Int,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(StatusError) {
    switch input {
    case .samples(var samples):
      try unsafe samples.take(list, frameCount: count)
      input = .samples(samples)
    case .packets(var packets):
      try unsafe packets.take(
        list, packetCount: count, unsafe descriptions.map { unsafe UnsafePointer($0) }, source)
      input = .packets(packets)
    }
  }

  /// Converts a piece of the input that is there; false without input.
  private func advance() throws(StatusError) -> Bool {
    switch input {
    case .samples(var samples):
      guard samples.frameCount > 0 else { return false }
      input = .packets(PacketInput())
      let values = samples.values(Self.step)
      input = .samples(samples)
      conversion?.push(values)
    case .packets(var packets):
      if pushDecoded() { return true }
      guard let packet = packets.next() else { return false }
      input = .packets(packets)
      let decoder = try openDecoder()
      try add(decoder.decode(packet, as: Double.self), decoder)
    }
    return true
  }

  /// Adds decoded samples.
  private func add(_ samples: [Double], _ decoder: PacketDecoder) throws(StatusError) {
    guard !samples.isEmpty, let rate = decoder.rate, let count = decoder.channelCount else {
      return
    }
    if conversion == nil {
      decodedChannelCount = count
      conversion = try conversion(from: rate, count)
    }
    // A stream that changes its channels does not fit the output.
    guard count == decodedChannelCount else { return }
    let trimmed = min(untrimmed, samples.count / count)
    untrimmed -= trimmed
    decoded += samples.dropFirst(trimmed * count)
  }

  /// Converts a piece of the decoded samples, so that a large packet does not fill the memory.
  ///
  /// - Returns: false without samples.
  private func pushDecoded() -> Bool {
    guard !decoded.isEmpty else { return false }
    let end = min(decoded.count, decodedStart + Self.step * decodedChannelCount)
    conversion?.push(Array(decoded[decodedStart..<end]))
    decodedStart = end
    if decodedStart == decoded.count { (decoded, decodedStart) = ([], 0) }
    if isEnded, decoded.isEmpty { conversion?.finish() }
    return true
  }

  /// Ends the stream.
  private func finish() throws(StatusError) {
    isEnded = true
    if let decoder { try add(decoder.finish(as: Double.self), decoder) }
    if decoded.isEmpty { conversion?.finish() }
  }
}

extension ConverterObject {
  /// Converts samples without a change of rate.
  ///
  /// - Parameters:
  ///   - frameCount: the number of frames.
  ///   - source: the buffers of the input.
  ///   - target: the buffers of the output, with room for all frames.
  /// - Throws: `kAudioConverterErr_OperationNotSupported` for packets or a change of rate;
  ///   `kAudioConverterErr_InvalidInputSize`, `kAudioConverterErr_InvalidOutputSize`.
  package func convert(
    _ frameCount: Int, _ source: UnsafeMutablePointer<AudioBufferList>,
    _ target: UnsafeMutablePointer<AudioBufferList>
  ) throws(StatusError) {
    guard !isFilling, case .samples(let samples) = input, case .samples(let form) = output,
      samples.form.rate == form.rate
    else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
    var given = SampleInput(samples.form)
    try unsafe given.take(source, frameCount: frameCount)
    guard given.frameCount == frameCount else {
      throw StatusError(kAudioConverterErr_InvalidInputSize)
    }
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(target)
    guard unsafe buffers.count == form.bufferCount else { throw .parameter }
    for index in unsafe buffers.indices {
      let buffer = unsafe buffers[index]
      guard unsafe buffer.mData != nil,
        Int(unsafe buffer.mDataByteSize) / form.bytesPerFrame >= frameCount
      else { throw StatusError(kAudioConverterErr_InvalidOutputSize) }
    }
    let kept = (conversion, isEnded)
    defer { (conversion, isEnded) = kept }
    conversion = try conversion(from: form.rate, samples.form.channelCount)
    var done = 0
    while done < frameCount {
      conversion?.push(given.values(Self.step))
      let count = unsafe takeConverted(Self.step, form, to: buffers, at: done)
      if count == 0 { break }
      done += count
    }
    for index in unsafe buffers.indices {
      unsafe buffers[index].mDataByteSize = UInt32(done * form.bytesPerFrame)
    }
  }
}
