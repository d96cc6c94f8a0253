// SPDX-License-Identifier: Apache-2.0
// Requests for times on standard input, one JSON document a line; an answer a line on standard
// output. Exit status 3: some lines were no requests.
import Glibc
import VectorProtocol

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
  let sentence = Array("downbeat-vectors: line \(number): \(refusal)\n".utf8)
  _ = unsafe write(STDERR_FILENO, sentence, sentence.count)
}
exit(status)
