// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
internal import CoreAudio
internal import Foundation

/// The converter of Audio Converter Services that an `AVAudioConverter` uses.
@safe
final class ConverterLink: @unchecked Sendable {
  private let source: AVAudioFormat
  private let target: AVAudioFormat
  /// Every access to what follows holds the lock; the converter has another lock.
  private let lock = NSLock()
  private var converter: AudioConverterRef
  private var isMixingChannels = false
  private var bitRateStrategy: String?
  /// The properties that a program has set, for a new converter.
  private var properties: [(id: AudioConverterPropertyID, value: [UInt8])] = []

  static let algorithms: [(String, UInt32)] = [
    (
      AVSampleRateConverterAlgorithm_Normal,
      UInt32(kAudioConverterSampleRateConverterComplexity_Normal)
    ),
    (
      AVSampleRateConverterAlgorithm_Mastering,
      UInt32(kAudioConverterSampleRateConverterComplexity_Mastering)
    ),
    (
      AVSampleRateConverterAlgorithm_MinimumPhase,
      UInt32(kAudioConverterSampleRateConverterComplexity_MinimumPhase)
    ),
  ]

  init?(_ source: AVAudioFormat, _ target: AVAudioFormat) {
    guard let made = unsafe Self.made(source, target, isMixing: false) else { return nil }
    (self.source, self.target) = (source, target)
    unsafe converter = made
  }

  deinit {
    unsafe AudioConverterDispose(converter)
  }

  private static func made(
    _ source: AVAudioFormat, _ target: AVAudioFormat, isMixing: Bool
  ) -> AudioConverterRef? {
    var made: AudioConverterRef?
    let status = unsafe AudioConverterNew(source.streamDescription, target.streamDescription, &made)
    guard status == noErr, let made = unsafe made else { return nil }
    unsafe setLayout(made, kAudioConverterInputChannelLayout, source.channelLayout)
    unsafe setLayout(made, kAudioConverterOutputChannelLayout, target.channelLayout)
    if let cookie = source.magicCookie, !source.asbd.isPCM {
      unsafe write(made, kAudioConverterDecompressionMagicCookie, [UInt8](cookie))
    }
    if !isMixing, source.channelCount > target.channelCount {
      let map = map(source, target)
      let bytes = unsafe map.withUnsafeBytes { unsafe Array($0) }
      unsafe write(made, kAudioConverterChannelMap, bytes)
    }
    return unsafe made
  }

  /// The channels of the input that have a channel of the output.
  private static func map(_ source: AVAudioFormat, _ target: AVAudioFormat) -> [Int32] {
    let labels = source.channelLayout.flatMap { ChannelLabels($0)?.labels } ?? []
    let wanted = target.channelLayout.flatMap { ChannelLabels($0)?.labels } ?? []
    return (0..<Int(target.channelCount)).map { channel in
      let place = wanted.indices.contains(channel) ? labels.firstIndex(of: wanted[channel]) : nil
      return Int32(place ?? channel)
    }
  }

  @unsafe
  private static func setLayout(
    _ converter: AudioConverterRef, _ id: AudioConverterPropertyID,
    _ layout: AVAudioChannelLayout?
  ) {
    guard let layout else { return }
    unsafe write(converter, id, [UInt8](layout.data))
  }

  @unsafe @discardableResult
  private static func write(
    _ converter: AudioConverterRef, _ id: AudioConverterPropertyID, _ value: [UInt8]
  ) -> OSStatus {
    unsafe value.withUnsafeBytes {
      unsafe AudioConverterSetProperty(converter, id, UInt32($0.count), $0.baseAddress)
    }
  }

  func reset() {
    lock.withLock { _ = unsafe AudioConverterReset(converter) }
  }

  var strategy: String? {
    get { lock.withLock { bitRateStrategy } }
    set { lock.withLock { bitRateStrategy = newValue } }
  }

  var isMixing: Bool {
    get { lock.withLock { isMixingChannels } }
    set {
      lock.withLock {
        guard newValue != isMixingChannels,
          let other = unsafe Self.made(source, target, isMixing: newValue)
        else { return }
        isMixingChannels = newValue
        unsafe AudioConverterDispose(converter)
        unsafe converter = other
        for property in properties {
          unsafe Self.write(converter, property.id, property.value)
        }
      }
    }
  }
}

extension ConverterLink {
  /// Sets a property; a value that the converter refuses is not set.
  func set<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, _ values: [Value]) {
    let bytes = unsafe values.withUnsafeBytes { unsafe Array($0) }
    lock.withLock {
      guard unsafe Self.write(converter, id, bytes) == noErr else { return }
      properties.removeAll { $0.id == id }
      properties.append((id, bytes))
    }
  }

  /// The values of a property; empty if the converter does not have it.
  func list<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, _ type: Value.Type) -> [Value] {
    lock.withLock {
      var size: UInt32 = 0
      guard unsafe AudioConverterGetPropertyInfo(converter, id, &size, nil) == noErr else {
        return []
      }
      let room = Int(size) / MemoryLayout<Value>.stride
      return unsafe [Value](unsafeUninitializedCapacity: room) { buffer, count in
        var size = UInt32(room * MemoryLayout<Value>.stride)
        let status = unsafe AudioConverterGetProperty(converter, id, &size, buffer.baseAddress)
        count = status == noErr ? min(room, Int(size) / MemoryLayout<Value>.stride) : 0
      }
    }
  }

  /// A property that is a number; nil if the converter does not have it.
  func number(_ id: AudioConverterPropertyID) -> UInt32? { list(id, UInt32.self).first }
}

extension ConverterLink {
  /// Converts a buffer without a change of rate.
  func convert(_ input: AVAudioPCMBuffer, to output: AVAudioPCMBuffer) -> OSStatus {
    guard input.frameLength > 0 else {
      output.frameLength = 0
      return noErr
    }
    let list = unsafe output.memory.capacityList()
    defer { unsafe free(list.unsafeMutablePointer) }
    let status = lock.withLock {
      unsafe AudioConverterConvertComplexBuffer(
        converter, input.frameLength, input.audioBufferList, list.unsafeMutablePointer)
    }
    if status == noErr { output.frameLength = input.frameLength }
    return status
  }

  /// Fills a buffer with the converted input.
  ///
  /// - Parameters:
  ///   - output: A buffer of the output format.
  ///   - feed: Provides the input.
  /// - Returns: The status, and the packets in the buffer.
  func fill(_ output: AVAudioBuffer, from feed: ConverterFeed) -> (OSStatus, Int) {
    let list = unsafe output.memory.capacityList()
    defer { unsafe free(list.unsafeMutablePointer) }
    let packets = output as? AVAudioCompressedBuffer
    var count = packets?.packetCapacity ?? (output as? AVAudioPCMBuffer)?.frameCapacity ?? 0
    let current = unsafe lock.withLock { unsafe converter }
    let status = withExtendedLifetime((feed, self)) {
      unsafe AudioConverterFillComplexBuffer(
        current, ConverterFeed.callback, Unmanaged.passUnretained(feed).toOpaque(), &count,
        list.unsafeMutablePointer, packets?.packetDescriptions)
    }
    if let packets {
      packets.packetCount = min(count, packets.packetCapacity)
      packets.byteLength = unsafe min(list[0].mDataByteSize, packets.byteCapacity)
    } else if let samples = output as? AVAudioPCMBuffer {
      samples.frameLength = min(count, samples.frameCapacity)
    }
    return (status, Int(count))
  }
}
