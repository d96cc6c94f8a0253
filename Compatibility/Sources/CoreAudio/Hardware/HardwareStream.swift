// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import CoreAudioTypes
internal import MusicalTime

/// The stream of a device in one direction.
struct HardwareStream {
  /// Its device.
  let device: AudioDevice
  /// Its direction, which the device has.
  let direction: AudioDevice.Direction

  /// Its identifier.
  var identifier: AudioObjectID { HardwareTable.identifier(of: device.name, .stream(direction)) }

  /// The stream as this program runs it; nil if it does not.
  var running: RunningStream? {
    RunningStream.all.first { $0.device == device.name && $0.direction == direction }
  }

  /// The value of a property; nil if a stream does not have it.
  ///
  /// - Throws: `HardwareError` if the device cannot be opened.
  func value(_ selector: AudioObjectPropertySelector) throws(HardwareError) -> HardwareValue? {
    switch selector {
    case kAudioObjectPropertyClass: .one(kAudioStreamClassID)
    case kAudioObjectPropertyBaseClass: .one(kAudioObjectClassID)
    case kAudioObjectPropertyOwner: .one(device.identifier)
    case kAudioStreamPropertyIsActive, kAudioStreamPropertyStartingChannel: .one(UInt32(1))
    case kAudioStreamPropertyDirection: .one(UInt32(direction == .capture ? 1 : 0))
    // Unknown; the latency is the device's.
    case kAudioStreamPropertyTerminalType, kAudioStreamPropertyLatency: .one(UInt32(0))
    case kAudioStreamPropertyVirtualFormat, kAudioStreamPropertyPhysicalFormat:
      .one(try format(at: try nominalRate))
    case kAudioStreamPropertyAvailableVirtualFormats,
      kAudioStreamPropertyAvailablePhysicalFormats:
      .many(try formats)
    default: nil
    }
  }

  /// The ranges of the device; those of the running stream if they cannot be read meanwhile.
  private var able: (rates: ClosedRange<Int>, channels: Int, frames: ClosedRange<Int>) {
    get throws(HardwareError) {
      do throws(HardwareError) {
        let able = try HardwareTable.capabilities(of: device, direction)
        return (able.rates, able.channels.upperBound, able.periodFrames)
      } catch {
        guard let running else { throw error }
        let (rate, frames) = (Int(running.rate.hertz), running.periodFrames)
        return (rate...rate, running.channelCount, frames...frames)
      }
    }
  }

  /// The frames in a period that an output or input can ask for.
  var periodFrames: ClosedRange<Int> {
    get throws(HardwareError) { try able.frames.clamped(to: 16...65536) }
  }

  /// The channels of the card; 2, if the device converts to any number of them.
  var channelCount: Int {
    get throws(HardwareError) {
      let most = try able.channels
      return most > 64 ? 2 : most
    }
  }

  /// The rate in hertz that the program has set, or that of the running stream, or 48000 or the
  /// nearest rate of the device.
  var nominalRate: Double {
    get throws(HardwareError) {
      if let rate = HardwareTable.rate(of: device.name) { return rate }
      if let running { return Double(running.rate.hertz) }
      let range = try able.rates
      return Double(min(max(48000, range.lowerBound), range.upperBound))
    }
  }

  /// The rate in hertz as measured while the stream runs, otherwise the nominal rate.
  var measuredRate: Double {
    get throws(HardwareError) {
      guard let running else { return try nominalRate }
      return Double(running.rate.hertz) * (1 + (running.clock?.drift ?? 0) * 1e-6)
    }
  }

  /// The usual rates that it has; its whole range if none is among them.
  var rates: [AudioValueRange] {
    get throws(HardwareError) {
      let range = try able.rates
      let usual = [
        8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 176_400, 192_000,
      ].filter(range.contains).map { AudioValueRange(mMinimum: Double($0), mMaximum: Double($0)) }
      guard usual.isEmpty else { return usual }
      return [
        AudioValueRange(mMinimum: Double(range.lowerBound), mMaximum: Double(range.upperBound))
      ]
    }
  }

  /// Tests if the device has the rate in hertz.
  func supports(_ hertz: Double) throws(HardwareError) -> Bool {
    try rates.contains { $0.mMinimum <= hertz && hertz <= $0.mMaximum }
  }

  /// The frames between a sample's time on the device's clock and its sound, without the period
  /// that is being played: for an output the other periods of the buffer, and those in the device.
  var latency: Int {
    guard direction == .playback else { return 0 }
    guard let running else {
      // An output asks for four periods.
      return 3 * HardwareChoice(device: device.name).periodFrames
    }
    let held = Double(running.clock?.delay ?? 0) * Double(running.rate.hertz) / 1e9
    return max(0, running.bufferFrames - running.periodFrames) + Int(max(0, min(held, 1e9)))
  }

  /// The format in which a program hands over samples.
  func format(at rate: Double) throws(HardwareError) -> AudioStreamBasicDescription {
    let count = UInt32(try channelCount)
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4 * count, mFramesPerPacket: 1, mBytesPerFrame: 4 * count,
      mChannelsPerFrame: count, mBitsPerChannel: 32, mReserved: 0)
  }

  /// Its format at each rate.
  private var formats: [AudioStreamRangedDescription] {
    get throws(HardwareError) {
      var formats: [AudioStreamRangedDescription] = []
      for range in try rates {
        formats.append(
          AudioStreamRangedDescription(
            mFormat: try format(at: range.mMaximum), mSampleRateRange: range))
      }
      return formats
    }
  }
}
