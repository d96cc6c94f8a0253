// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime

/// The samples of an uncompressed file; each frame is a packet.
final class SampleContent: AudioFileContent {
  private var file: SampleFile
  private let form: PCMForm
  private let mayWrite: Bool

  /// Opens the content of a file; nil if its rate is impossible.
  init?(_ file: SampleFile) {
    guard let rate = SampleRate(hertz: file.hertz) else { return nil }
    var form = PCMForm(.integer16, rate: rate, channelCount: file.channelCount)
    form.layout = file.layout
    (self.file, self.form, mayWrite) = (file, form, file.isWritable)
  }

  /// Creates a file.
  ///
  /// - Throws: `kAudioFileUnsupportedDataFormatError` for samples that the type cannot store.
  init(
    creating path: String, _ container: SampleContainer, _ form: PCMForm, mayReplace: Bool
  ) throws(StatusError) {
    (self.form, mayWrite) = (form, true)
    file = try Self.create(path, container, form, form.layout, mayReplace: mayReplace)
  }

  private static func create(
    _ path: String, _ container: SampleContainer, _ form: PCMForm, _ layout: PCMLayout,
    mayReplace: Bool
  ) throws(StatusError) -> SampleFile {
    do throws(SoundFileError) {
      return try SampleFile(
        creating: path, container: container, layout: layout, channelCount: form.channelCount,
        hertz: Int(form.rate.hertz), mayReplace: mayReplace)
    } catch {
      throw StatusError(error)
    }
  }

  var type: AudioFileTypeID {
    switch file.container {
    case .wave: kAudioFileWAVEType
    case .rf64: kAudioFileRF64Type
    case .wave64: kAudioFileWave64Type
    case .aiff: kAudioFileAIFFType
    case .aifc: kAudioFileAIFCType
    case .au: kAudioFileNextType
    case .caf: kAudioFileCAFType
    }
  }

  var formats: [AudioStreamBasicDescription] {
    var description = form.description
    // The order of single bytes is that of the container's other samples.
    if file.layout.byteCount == 1, file.codec == .linearPCM {
      description.mFormatFlags &= ~kAudioFormatFlagIsBigEndian
      if [.aiff, .aifc, .au].contains(file.container) {
        description.mFormatFlags |= kAudioFormatFlagIsBigEndian
      }
    }
    return [description]
  }

  var cookie: [UInt8] { [] }
  var dataOffset: Int64 { file.dataOffset }
  var byteCount: Int64 { file.byteCount }
  var packetCount: Int64 { file.frameCount }
  var maximumPacketSize: Int { file.frameByteCount }
  var validFrameCount: Int64 { file.frameCount }
  var hertz: Int { file.hertz }
  var bitRate: Double { 8 * Double(file.frameByteCount) * Double(file.hertz) }
  var packetTable: AudioFilePacketTableInfo? { nil }

  var layout: ChannelLayout {
    ChannelLayout(mask: file.layout.channelMask, channelCount: file.channelCount)
  }

  func packet(_ number: Int64) -> AudioFilePacket? {
    guard (0..<packetCount).contains(number) else { return nil }
    let size = file.frameByteCount
    return AudioFilePacket(
      byte: number * Int64(size), byteCount: size, frame: number, frameCount: 1)
  }

  func packet(ofFrame frame: Int64) -> Int64? {
    (0..<packetCount).contains(frame) ? frame : nil
  }

  func packet(ofByte byte: Int64) -> Int64? {
    (0..<byteCount).contains(byte) ? byte / Int64(file.frameByteCount) : nil
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at byte: Int64) throws(StatusError) -> Int {
    unsafe file.read(buffer, at: byte)
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, _ packets: AudioFilePackets, at start: Int64
  ) throws(StatusError) {
    let (byte, overflows) = start.multipliedReportingOverflow(by: Int64(file.frameByteCount))
    guard !overflows, (0...file.frameCount).contains(start) else {
      throw StatusError(kAudioFileInvalidPacketOffsetError)
    }
    try unsafe write(bytes, at: byte)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at byte: Int64) throws(StatusError) {
    guard mayWrite else { throw StatusError(kAudioFilePermissionsError) }
    guard (0...byteCount).contains(byte) else { throw StatusError(kAudioFilePositionError) }
    do throws(SoundFileError) {
      try unsafe file.write(bytes, at: byte)
    } catch {
      throw StatusError(error)
    }
  }

  func isWritable(_ property: AudioFilePropertyID) -> Bool {
    switch property {
    case kAudioFilePropertyDeferSizeUpdates: mayWrite
    case kAudioFilePropertyReserveDuration: mayWrite
    case kAudioFilePropertyChannelLayout: mayWrite && file.byteCount == 0
    default: false
    }
  }

  func set(_ property: AudioFilePropertyID, _ source: PropertySource) throws(StatusError) {
    switch property {
    case kAudioFilePropertyDeferSizeUpdates:
      file.updatesSizes = try source.value(as: UInt32.self) == 0
    // The header has the size that it keeps, so that nothing has to be reserved.
    case kAudioFilePropertyReserveDuration: _ = try source.value(as: Double.self)
    case kAudioFilePropertyChannelLayout: try set(try source.channels())
    default: throw StatusError(kAudioFileUnsupportedPropertyError)
    }
  }

  /// True if the sizes are stated at the end only.
  var defersSizes: Bool { !file.updatesSizes }

  /// States loudspeakers in a file without samples.
  private func set(_ channels: ChannelLabels) throws(StatusError) {
    guard channels.labels.count == file.channelCount else {
      throw StatusError(kAudioFileUnsupportedDataFormatError)
    }
    guard mayWrite, file.byteCount == 0 else {
      throw StatusError(kAudioFileOperationNotSupportedError)
    }
    guard let mask = channels.layout.mask, file.channelCount > 2 else { return }
    let old = file.layout
    let layout = PCMLayout(
      numbers: old.numbers, bits: old.bits, byteCount: old.byteCount,
      isLittleEndian: old.isLittleEndian, channelMask: mask)
    let updatesSizes = file.updatesSizes
    file = try Self.create(file.path, file.container, form, layout, mayReplace: true)
    file.updatesSizes = updatesSizes
  }

  func close(_ metadata: SoundFileMetadata?) throws(StatusError) {
    do throws(SoundFileError) {
      try file.close(metadata: metadata)
    } catch {
      throw StatusError(error)
    }
  }
}
