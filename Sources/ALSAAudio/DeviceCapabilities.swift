// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// The formats, rates and sizes that a sound device supports.
public struct DeviceCapabilities: Hashable, Sendable {
  /// The sample formats by their ALSA names, such as `S16_LE`.
  public let formats: [String]
  /// The range of sample rates in hertz.
  public let rates: ClosedRange<Int>
  /// The range of the number of channels.
  public let channels: ClosedRange<Int>
  /// The range of the number of frames per period.
  public let periodFrames: ClosedRange<Int>
  /// The range of the number of frames in the buffer.
  public let bufferFrames: ClosedRange<Int>
}

extension AudioDevice {
  /// Opens the device, reads its capabilities and closes it.
  ///
  /// The device is not configured or started. If another program uses the device, the function
  /// throws an error without waiting.
  ///
  /// - Parameter direction: The use of the device; playback by default.
  /// - Returns: The capabilities.
  /// - Throws: `DeviceError` if the device cannot be opened, for example `.busy` if another program
  ///   uses it.
  /// - Note: Not real-time safe.
  public func capabilities(
    _ direction: Direction = .playback
  ) throws(DeviceError) -> DeviceCapabilities {
    let handle = try PCMHandle(name, direction)
    return unsafe try handle.withPCM { (pcm) throws(DeviceError) in
      var hardware: OpaquePointer?
      unsafe snd_pcm_hw_params_malloc(&hardware)
      defer { unsafe snd_pcm_hw_params_free(hardware) }
      let code = unsafe snd_pcm_hw_params_any(pcm, hardware)
      guard code >= 0 else {
        throw .cannotOpen(
          name, step: "list its formats", code: code, words: PCMHandle.takeWords())
      }
      return unsafe DeviceCapabilities(pcm, hardware)
    }
  }
}

extension DeviceCapabilities {
  fileprivate init(_ pcm: OpaquePointer, _ hardware: OpaquePointer?) {
    formats = (0...Int32(SND_PCM_FORMAT_LAST.rawValue)).compactMap { number in
      let format = snd_pcm_format_t(rawValue: number)
      guard unsafe snd_pcm_hw_params_test_format(pcm, hardware, format) == 0,
        let name = unsafe snd_pcm_format_name(format)
      else { return nil }
      return unsafe String(cString: name)
    }
    var direction: Int32 = 0
    func range<Number: BinaryInteger>(
      _ least: (inout Number) -> Void, _ greatest: (inout Number) -> Void
    ) -> ClosedRange<Int> {
      var low: Number = 0
      var high: Number = 0
      least(&low)
      greatest(&high)
      return Int(clamping: low)...max(Int(clamping: low), Int(clamping: high))
    }
    rates = range { (value: inout UInt32) in
      unsafe snd_pcm_hw_params_get_rate_min(hardware, &value, &direction)
    } _: {
      unsafe snd_pcm_hw_params_get_rate_max(hardware, &$0, &direction)
    }
    channels = range { (value: inout UInt32) in
      unsafe snd_pcm_hw_params_get_channels_min(hardware, &value)
    } _: {
      unsafe snd_pcm_hw_params_get_channels_max(hardware, &$0)
    }
    periodFrames = range { (value: inout snd_pcm_uframes_t) in
      unsafe snd_pcm_hw_params_get_period_size_min(hardware, &value, &direction)
    } _: {
      unsafe snd_pcm_hw_params_get_period_size_max(hardware, &$0, &direction)
    }
    bufferFrames = range { (value: inout snd_pcm_uframes_t) in
      unsafe snd_pcm_hw_params_get_buffer_size_min(hardware, &value)
    } _: {
      unsafe snd_pcm_hw_params_get_buffer_size_max(hardware, &$0)
    }
  }
}
