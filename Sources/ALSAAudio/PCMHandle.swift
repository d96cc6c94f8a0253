// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import FileNames
internal import Glibc
internal import MusicalTime
internal import Realtime

/// A sample format of a device.
enum SampleFormat: String, CaseIterable {
  // In the order of preference.
  case float32 = "float"
  case integer32 = "32"
  case integer24 = "24 in 4 bytes"
  case packed24 = "24"
  case integer16 = "16"

  var code: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT
    case .integer32: SND_PCM_FORMAT_S32
    case .integer24: SND_PCM_FORMAT_S24
    case .packed24: SND_PCM_FORMAT_S24_3LE
    case .integer16: SND_PCM_FORMAT_S16
    }
  }

  var byteCount: Int {
    switch self {
    case .float32, .integer32, .integer24: 4
    case .packed24: 3
    case .integer16: 2
    }
  }
}

/// The owner of an open device.
///
/// Reads and writes do not block, and waits have a limit.
@safe
struct PCMHandle: ~Copyable {
  /// The name with which it was opened.
  let name: String
  /// The direction of the sound.
  let direction: AudioDevice.Direction
  private let pcm: OpaquePointer
  /// The memory for `snd_pcm_status`.
  private let status: OpaquePointer

  /// Opens a device: `snd_pcm_open`.
  init(
    _ name: String, _ direction: AudioDevice.Direction = .playback
  ) throws(DeviceError) {
    calsa_keep_words()
    _ = Self.takeWords()
    var opened: OpaquePointer?
    let stream = direction == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
    // The device may be a file, whose name can be any bytes.
    let code = name.withSystemPath {
      unsafe snd_pcm_open(&opened, $0, stream, Int32(SND_PCM_NONBLOCK))
    }
    guard code == 0, let pcm = unsafe opened else { throw Self.openingError(name, direction, code) }
    var status: OpaquePointer?
    guard unsafe snd_pcm_status_malloc(&status) == 0, let status = unsafe status else {
      unsafe snd_pcm_close(pcm)
      throw Self.openingError(name, direction, -ENOMEM)
    }
    self.name = name
    self.direction = direction
    unsafe self.pcm = pcm
    unsafe self.status = status
  }

  deinit {
    unsafe snd_pcm_status_free(status)
    unsafe snd_pcm_close(pcm)
  }

  private static func openingError(
    _ name: String, _ direction: AudioDevice.Direction, _ code: Int32
  ) -> DeviceError {
    let words = takeWords()
    let isUsual = ["default", "sysdefault", "hw", "plughw", "front", "dmix", "dsnoop"].contains {
      name == $0 || name.hasPrefix("\($0):")
    }
    switch -code {
    case EBUSY: return .busy(name)
    case EACCES, EPERM: return .notPermitted(name)
    case ENOENT, ENODEV, ENXIO, EINVAL:
      if isUsual, !AudioDevice.hasCard {
        return AudioDevice.hasRefusedCard ? .notPermitted(name) : .noSoundDevice
      }
      return .noSuchDevice(name, candidates: AudioDevice.candidates(direction))
    default: return .cannotOpen(name, step: "open", code: code, words: words)
    }
  }

  /// Returns libasound's messages since the last call, as one line.
  static func takeWords() -> String {
    var words = [CChar](repeating: 0, count: 1024)
    unsafe calsa_take_words(&words, words.count)
    let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
  }

  /// Passes the device to a configuration step.
  func withPCM<Result>(_ body: (OpaquePointer) throws(DeviceError) -> Result) throws(DeviceError)
    -> Result
  {
    unsafe try body(pcm)
  }
}

extension PCMHandle {
  /// True for ALSA's `null`, which takes any amount at once: `snd_pcm_type`.
  var isNull: Bool { unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_NULL }

  /// The formats in the order in which they are tried.
  ///
  /// ALSA's file device writes a header for integers before samples of any format.
  var formats: [SampleFormat] {
    let isWave =
      unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_FILE && name.lowercased().contains("format=wav")
    return isWave ? [.integer32, .integer16] : SampleFormat.allCases
  }

  /// Writes frames without waiting: `snd_pcm_writei`; returns their number, or a negative error.
  ///
  /// Acceptable on the render thread: one system call for hardware. Plugins, which may do more,
  /// have a separate thread.
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    unsafe snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count))
  }

  /// Reads frames without waiting: `snd_pcm_readi`; returns their number, or a negative error.
  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int {
    unsafe snd_pcm_readi(pcm, frames, snd_pcm_uframes_t(count))
  }

  /// Starts a capture: `snd_pcm_start`.
  func start() -> Int32 {
    unsafe snd_pcm_start(pcm)
  }

  /// Waits until a period fits, up to a number of milliseconds: `snd_pcm_wait`.
  ///
  /// Returns 0 if the time has passed, or a negative error.
  func wait(milliseconds: Int32) -> Int32 {
    unsafe snd_pcm_wait(pcm, milliseconds)
  }

  /// Makes the device ready again after an xrun or a suspension: `snd_pcm_recover`.
  func recover(from code: Int32) -> Int32 {
    unsafe snd_pcm_recover(pcm, code, 1)
  }

  /// The position of a device at an instant.
  struct Moment {
    let time: HostTime
    /// The frames that fit into the buffer or, for capture, wait in it.
    let room: Int
    /// The frames between the next one to write and the one that is audible or, for capture,
    /// between the one being recorded and the next one to read.
    let delay: Int
  }

  /// The time at which the kernel last read the card's position, and the room at that time:
  /// `snd_pcm_htimestamp`.
  ///
  /// Nil for a plugin, which may use another clock.
  ///
  /// Right after a wait it is the time of the card's interrupt, however late this thread woke up.
  private var sighting: (time: HostTime, room: Int)? {
    guard unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_HW else { return nil }
    var stamp = timespec()
    var room: snd_pcm_uframes_t = 0
    guard unsafe snd_pcm_htimestamp(pcm, &room, &stamp) == 0,
      let time = Self.plausible(stamp)
    else { return nil }
    return (time, Int(room))
  }

  /// A time stamp as host time; nil if it is in the future or more than a second old.
  private static func plausible(_ stamp: timespec) -> HostTime? {
    let seen = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
    let now = DeadlineWait.now
    return seen <= now && seen > now - 1_000_000_000 ? HostTime(nanoseconds: seen) : nil
  }

  /// Waits like `wait(milliseconds:)`, and returns the position of the device if it ended the wait.
  ///
  /// Many devices advance their position in steps, of a kernel's tick or a bus frame; at this
  /// moment a step was just made.
  func waitForStep(milliseconds: Int32) -> (code: Int32, moment: Moment?) {
    let before = sighting?.time
    let code = wait(milliseconds: milliseconds)
    guard code > 0, before == nil || sighting?.time != before else { return (code, nil) }
    return (code, moment())
  }

  /// The position of the device: `snd_pcm_status`; nil after an xrun, or if the device is lost.
  ///
  /// For a card it is the last position that the kernel read; for a plugin it is the present one.
  func moment() -> Moment? {
    let sighting = sighting
    guard unsafe snd_pcm_status(pcm, status) == 0,
      // Some plugins never report that they are running.
      unsafe snd_pcm_status_get_state(status).rawValue <= SND_PCM_STATE_RUNNING.rawValue
    else { return nil }
    let room = unsafe Int(snd_pcm_status_get_avail(status))
    let delay = unsafe max(0, Int(snd_pcm_status_get_delay(status)))
    guard let sighting else {
      var stamp = timespec()
      unsafe snd_pcm_status_get_htstamp(status, &stamp)
      let time = Self.plausible(stamp) ?? HostTime(nanoseconds: DeadlineWait.now)
      return Moment(time: time, room: room, delay: delay)
    }
    // The same frames beyond the buffer, slightly earlier.
    let later = direction == .playback ? sighting.room - room : room - sighting.room
    return Moment(time: sighting.time, room: sighting.room, delay: max(0, delay - later))
  }

  /// True if a write may wait for something other than the kernel, such as a sound server or a
  /// file.
  var mayBlock: Bool {
    switch unsafe snd_pcm_type(pcm) {
    case SND_PCM_TYPE_HW, SND_PCM_TYPE_NULL: false
    case SND_PCM_TYPE_FILE, SND_PCM_TYPE_IOPLUG, SND_PCM_TYPE_MULTI: true
    default: !waitsForKernelOnly
    }
  }

  /// True if all descriptors of the device are the kernel's sound devices, which have a fixed major
  /// number; this shows the devices behind a conversion.
  private var waitsForKernelOnly: Bool {
    let count = Int(max(0, unsafe snd_pcm_poll_descriptors_count(pcm)))
    return unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: count) { entries in
      let filled = unsafe snd_pcm_poll_descriptors(pcm, entries.baseAddress, UInt32(count))
      return filled > 0
        && (0..<Int(filled)).allSatisfy { index in
          var file = stat()
          return unsafe fstat(entries[index].fd, &file) == 0
            && file.st_mode & S_IFMT == S_IFCHR && file.st_rdev >> 8 & 0xFFF == Self.soundMajor
        }
    }
  }

  /// The major number of ALSA's devices; Linux, `devices.txt`.
  private static var soundMajor: dev_t { 116 }

  /// Releases the settings, so that others can be set: `snd_pcm_hw_free`.
  func release() {
    drop()
    _ = unsafe snd_pcm_hw_free(pcm)
  }

  /// Stops at once and drops the written frames: `snd_pcm_drop`.
  func drop() {
    _ = unsafe snd_pcm_drop(pcm)
  }
}
