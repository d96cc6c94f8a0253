// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A cache of the packets in files that were surveyed last, so that the files are not scanned
/// again.
///
/// - Note: Safe to use from any thread.
enum SurveyMemory {
  /// A file in its state at one time.
  struct File: Hashable {
    private let device: UInt64
    private let inode: UInt64
    private let byteCount: Int64
    /// The times of the last changes of content and attributes, in nanoseconds since 1970.
    private let changes: [Int64]

    /// Identifies a file; nil if it was changed so recently that a later change could have the same
    /// time.
    init?(_ stream: FileStream) {
      var status = stat()
      var now = timespec()
      guard unsafe fstat(stream.descriptor, &status) == 0,
        unsafe clock_gettime(CLOCK_REALTIME, &now) == 0
      else { return nil }
      changes = [status.st_mtim, status.st_ctim].map(Self.nanoseconds)
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      byteCount = Int64(status.st_size)
      guard changes.allSatisfy({ $0 < Self.nanoseconds(now) - Self.young }) else { return nil }
    }

    /// Kernels store file times in steps of up to 10 ms.
    private static let young: Int64 = 50_000_000

    private static func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
  }

  /// The results of a survey, and the state for continuing it.
  struct Survey {
    let properties: SoundStream.Properties
    let table: PacketTable
    let isComplete: Bool
    let parser: SoundStream
    let place: Int64
  }

  /// The maximum number of packets of all files: 40 MiB, seven hours.
  private static let packetLimit = 1 << 20
  /// The most recently used survey is last.
  private static let surveys = Mutex<[(file: File, survey: Survey)]>([])

  /// Returns the survey of a file; nil if it is not cached.
  static func recall(_ file: File) -> Survey? {
    surveys.withLock { surveys in
      guard let place = surveys.firstIndex(where: { $0.file == file }) else { return nil }
      let known = surveys.remove(at: place)
      surveys.append(known)
      return known.survey
    }
  }

  /// Caches a survey, unless the file has changed or a longer survey of it is cached.
  static func keep(_ survey: Survey, of file: File, _ stream: FileStream) {
    let packetCount = survey.table.packets.count
    guard File(stream) == file, packetCount <= packetLimit else { return }
    surveys.withLock { surveys in
      if let known = surveys.first(where: { $0.file == file })?.survey,
        known.isComplete || known.table.packets.count > packetCount
      {
        return
      }
      surveys.removeAll { $0.file == file }
      surveys.append((file, survey))
      var count = surveys.reduce(0) { $0 + $1.survey.table.packets.count }
      while count > packetLimit { count -= surveys.removeFirst().survey.table.packets.count }
    }
  }
}
