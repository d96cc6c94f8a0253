// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// The settings that a device uses.
struct PCMAgreement: Hashable {
  var format: SampleFormat
  var hertz: Int
  var channelCount: Int
  var periodFrames: Int
  var bufferFrames: Int

  var periodBytes: Int { periodFrames * channelCount * format.byteCount }
}

/// The number of channels with which to open a device.
enum ChannelWish {
  case exactly(Int)
  /// The smallest supported number that is at least this.
  case atLeast(Int)
}

extension PCMHandle {
  /// Sets format, rate, period and buffer, and returns the settings that the device uses.
  ///
  /// The rate and, if given, the format must be supported; for period and buffer the nearest size
  /// is used.
  func negotiate(
    hertz: Int, channels: ChannelWish, periodFrames: Int, periodCount: Int,
    format: SampleFormat? = nil
  ) throws(DeviceError) -> PCMAgreement {
    unsafe try withPCM { (pcm) throws(DeviceError) in
      var hardware: OpaquePointer?
      unsafe snd_pcm_hw_params_malloc(&hardware)
      defer { unsafe snd_pcm_hw_params_free(hardware) }
      unsafe try check("list its formats", snd_pcm_hw_params_any(pcm, hardware))
      let format = unsafe try chooseFormat(format, pcm, hardware)
      let channelCount = unsafe try chooseChannels(channels, pcm, hardware)
      unsafe try setRate(hertz, pcm, hardware)
      var agreement = PCMAgreement(
        format: format, hertz: hertz, channelCount: channelCount, periodFrames: periodFrames,
        bufferFrames: periodFrames * periodCount)
      unsafe try setSizes(&agreement, pcm, hardware)
      unsafe try setThresholds(agreement, pcm)
      return agreement
    }
  }

  private func chooseFormat(
    _ wanted: SampleFormat?, _ pcm: OpaquePointer, _ hardware: OpaquePointer?
  ) throws(DeviceError) -> SampleFormat {
    unsafe try check(
      "set interleaved access",
      snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
    for format in wanted.map({ [$0] }) ?? formats {
      if unsafe snd_pcm_hw_params_set_format(pcm, hardware, format.code) == 0 { return format }
    }
    throw .unsuitable(name, lack: "16, 24 or 32 bits")
  }

  /// Sets the number of channels, and returns it.
  private func chooseChannels(
    _ wish: ChannelWish, _ pcm: OpaquePointer, _ hardware: OpaquePointer?
  ) throws(DeviceError) -> Int {
    switch wish {
    case .exactly(let count):
      guard unsafe snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(count)) == 0 else {
        throw .unsuitable(name, lack: "\(count) channels")
      }
      return count
    case .atLeast(let count):
      var most: UInt32 = 0
      unsafe try check(
        "read its channel count", snd_pcm_hw_params_get_channels_max(hardware, &most))
      guard most >= UInt32(count) else { throw .noSuchChannel(name, count, count: Int(most)) }
      var (least, first) = (UInt32(count), UInt32(0))
      unsafe try check(
        "set \(count) channels",
        snd_pcm_hw_params_set_channels_min(pcm, hardware, &least))
      unsafe try check(
        "set \(count) channels",
        snd_pcm_hw_params_set_channels_first(pcm, hardware, &first))
      return Int(first)
    }
  }

  private func setRate(
    _ hertz: Int, _ pcm: OpaquePointer, _ hardware: OpaquePointer?
  ) throws(DeviceError) {
    guard unsafe snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(hertz), 0) != 0 else { return }
    var nearest = UInt32(hertz)
    unsafe try check(
      "set the rate", snd_pcm_hw_params_set_rate_near(pcm, hardware, &nearest, nil))
    throw .rateRefused(name, hertz: hertz, nearest: Int(nearest))
  }

  private func setSizes(
    _ agreement: inout PCMAgreement, _ pcm: OpaquePointer, _ hardware: OpaquePointer?
  ) throws(DeviceError) {
    var period = snd_pcm_uframes_t(agreement.periodFrames)
    var buffer = snd_pcm_uframes_t(agreement.bufferFrames)
    unsafe try check(
      "set the period", snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
    unsafe try check(
      "set the buffer", snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
    unsafe try check("set the format", snd_pcm_hw_params(pcm, hardware))
    unsafe try check(
      "read the period", snd_pcm_hw_params_get_period_size(hardware, &period, nil))
    unsafe try check("read the buffer", snd_pcm_hw_params_get_buffer_size(hardware, &buffer))
    agreement.periodFrames = Int(period)
    agreement.bufferFrames = Int(buffer)
    guard period > 0, buffer >= 2 * period else {
      throw .unsuitable(name, lack: "a buffer of two periods of \(period) frames")
    }
  }

  /// Sets playback to start when its buffer is full, and capture to start on command.
  ///
  /// Waits end when a period fits or is available; times are those of `CLOCK_MONOTONIC`.
  private func setThresholds(
    _ agreement: PCMAgreement, _ pcm: OpaquePointer
  ) throws(DeviceError) {
    var software: OpaquePointer?
    unsafe snd_pcm_sw_params_malloc(&software)
    defer { unsafe snd_pcm_sw_params_free(software) }
    let period = snd_pcm_uframes_t(agreement.periodFrames)
    let full = snd_pcm_uframes_t(agreement.bufferFrames) / period * period
    // More than any buffer contains: it never starts automatically.
    let start = direction == .playback ? full : snd_pcm_uframes_t(Int32.max)
    unsafe try check("read its settings", snd_pcm_sw_params_current(pcm, software))
    unsafe try check(
      "set the start", snd_pcm_sw_params_set_start_threshold(pcm, software, start))
    // If a plugin refuses them, the time of the call is used.
    _ = unsafe snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    _ = unsafe snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    unsafe try check("set the wake-up", snd_pcm_sw_params_set_avail_min(pcm, software, period))
    unsafe try check("apply its settings", snd_pcm_sw_params(pcm, software))
  }

  private func check(_ step: String, _ code: Int32) throws(DeviceError) {
    guard code < 0 else { return }
    throw .cannotOpen(name, step: step, code: code, words: Self.takeWords())
  }
}
