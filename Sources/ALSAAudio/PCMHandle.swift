// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import FileNames
internal import Glibc
internal import MusicalTime
internal import Realtime

/// How a device takes a sample.
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
/// It is never waited for without an end: reading and writing do not block, and waiting has a
/// limit.
@safe
struct PCMHandle: ~Copyable {
  /// The name it was opened under.
  let name: String
  /// Which way the sound goes.
  let direction: AudioDevice.Direction
  private let pcm: OpaquePointer
  /// What `snd_pcm_status` fills.
  private let status: OpaquePointer

  /// Opens a device: `snd_pcm_open`.
  init(
    _ name: String, _ direction: AudioDevice.Direction = .playback
  ) throws(DeviceError) {
    calsa_keep_words()
    _ = Self.takeWords()
    var opened: OpaquePointer?
    let stream = direction == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
    // The device may be a file, whose name is bytes.
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

  /// What libasound has said since it was last asked, as one line.
  static func takeWords() -> String {
    var words = [CChar](repeating: 0, count: 1024)
    unsafe calsa_take_words(&words, words.count)
    let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: "; ")
  }

  /// Hands the device to a step of the setting-up.
  func withPCM<Result>(_ body: (OpaquePointer) throws(DeviceError) -> Result) throws(DeviceError)
    -> Result
  {
    unsafe try body(pcm)
  }
}

extension PCMHandle {
  /// Whether it is ALSA's `null`, which takes everything at once: `snd_pcm_type`.
  var isNull: Bool { unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_NULL }

  /// The formats in the order in which they are asked for.
  ///
  /// ALSA's file device writes a header for integers before samples of any format.
  var formats: [SampleFormat] {
    let isWave =
      unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_FILE && name.lowercased().contains("format=wav")
    return isWave ? [.integer32, .integer16] : SampleFormat.allCases
  }

  /// Writes frames without waiting: `snd_pcm_writei`; returns how many, or a negative error.
  ///
  /// Acceptable on the render thread: one system call on hardware. A plugin that may do more has a
  /// thread of its own for it.
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    unsafe snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count))
  }

  /// Reads frames without waiting: `snd_pcm_readi`; returns how many, or a negative error.
  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int {
    unsafe snd_pcm_readi(pcm, frames, snd_pcm_uframes_t(count))
  }

  /// Lets a capture begin: `snd_pcm_start`.
  func start() -> Int32 {
    unsafe snd_pcm_start(pcm)
  }

  /// Waits until a period fits, up to some milliseconds: `snd_pcm_wait`.
  ///
  /// Returns 0 when the time is up, or a negative error.
  func wait(milliseconds: Int32) -> Int32 {
    unsafe snd_pcm_wait(pcm, milliseconds)
  }

  /// Makes the device ready again after an xrun or a suspension: `snd_pcm_recover`.
  func recover(from code: Int32) -> Int32 {
    unsafe snd_pcm_recover(pcm, code, 1)
  }

  /// Where a device was, at an instant.
  struct Moment {
    let time: HostTime
    /// Frames that fit the buffer, or that wait in it to be read.
    let room: Int
    /// Frames between the one written next and the one that sounds; or between the one that comes
    /// in and the one read next.
    let delay: Int
  }

  /// When the kernel last saw where a card is, and the room there was: `snd_pcm_htimestamp`; nil for
  /// a plugin, which may have another clock, or none.
  ///
  /// Right after a wait that is the card's own interrupt, however long we took to wake up.
  private var sighting: (time: HostTime, room: Int)? {
    guard unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_HW else { return nil }
    var stamp = timespec()
    var room: snd_pcm_uframes_t = 0
    guard unsafe snd_pcm_htimestamp(pcm, &room, &stamp) == 0,
      let time = Self.plausible(stamp)
    else { return nil }
    return (time, Int(room))
  }

  /// A stamp as host time; nil where it is none, or of long ago.
  private static func plausible(_ stamp: timespec) -> HostTime? {
    let seen = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
    let now = DeadlineWait.now
    return seen <= now && seen > now - 1_000_000_000 ? HostTime(nanoseconds: seen) : nil
  }

  /// Waits as `wait` does; says also where the device was when it woke us, nil where it did not.
  ///
  /// Many count in steps, of a kernel's tick or a bus's frame: at this moment one has just been made.
  func waitForStep(milliseconds: Int32) -> (code: Int32, moment: Moment?) {
    let before = sighting?.time
    let code = wait(milliseconds: milliseconds)
    guard code > 0, before == nil || sighting?.time != before else { return (code, nil) }
    return (code, moment())
  }

  /// Where the device is: `snd_pcm_status`; nil where it has run dry, or is gone.
  ///
  /// Of a card, where the kernel last saw it; what a plugin says holds for now.
  func moment() -> Moment? {
    let sighting = sighting
    guard unsafe snd_pcm_status(pcm, status) == 0,
      // Some plugins never say that they run.
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
    // The same frames beyond the buffer, a moment before.
    let later = direction == .playback ? sighting.room - room : room - sighting.room
    return Moment(time: sighting.time, room: sighting.room, delay: max(0, delay - later))
  }

  /// Whether a write may wait for more than the kernel's own devices: for a sound server, a file.
  var mayBlock: Bool {
    switch unsafe snd_pcm_type(pcm) {
    case SND_PCM_TYPE_HW, SND_PCM_TYPE_NULL: false
    case SND_PCM_TYPE_FILE, SND_PCM_TYPE_IOPLUG, SND_PCM_TYPE_MULTI: true
    default: !waitsForKernelOnly
    }
  }

  /// What a conversion has behind it shows in what it waits for: the kernel's sound devices have a
  /// number of their own.
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

  /// Gives back what was agreed on, so that something else can be: `snd_pcm_hw_free`.
  func release() {
    drop()
    _ = unsafe snd_pcm_hw_free(pcm)
  }

  /// Stops at once and forgets what was written: `snd_pcm_drop`.
  func drop() {
    _ = unsafe snd_pcm_drop(pcm)
  }
}
