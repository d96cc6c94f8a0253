// SPDX-License-Identifier: Apache-2.0
import Glibc
import VectorProtocol

/// Answers requests for times: `TestProbe vectors`.
///
/// A request is one JSON document on a line of standard input; its answer is a line on standard
/// output. The exit status is 3 if some lines were not requests, else 0.
enum VectorAnswers {
  static func run() -> Never {
    var session = VectorSession()
    var status: Int32 = 0
    var number = 0
    while let line = readLine() {
      number += 1
      let bytes = Array(line.utf8)
      guard bytes.contains(where: { $0 > 0x20 }) else { continue }
      print(session.answer(bytes))
      guard let refusal = session.refusal else { continue }
      status = 3
      let sentence = Array("vectors: line \(number): \(refusal)\n".utf8)
      _ = unsafe write(STDERR_FILENO, sentence, sentence.count)
    }
    exit(status)
  }
}
