-- An archive of letters: people, places, journeys and what was written.
CREATE TABLE people (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, died INTEGER,
  CHECK (died IS NULL OR died >= born)
);
CREATE TABLE places (id INTEGER PRIMARY KEY, name TEXT UNIQUE, country TEXT DEFAULT 'unknown');
CREATE TABLE letters (
  id INTEGER PRIMARY KEY,
  sender INTEGER REFERENCES people(id),
  receiver INTEGER REFERENCES people(id),
  place INTEGER REFERENCES places(id),
  day TEXT, pages INTEGER DEFAULT 1
);
CREATE TABLE journeys (person INTEGER, start INTEGER, stop INTEGER, day TEXT, PRIMARY KEY (person, day)) WITHOUT ROWID;
CREATE TABLE subjects (letter INTEGER, word TEXT);
CREATE INDEX by_word ON subjects(word, letter);
CREATE INDEX by_day ON letters(day) WHERE pages > 1;

INSERT INTO people VALUES (1, 'Ada', 1815, 1852), (2, 'Charles', 1791, 1871), (3, 'Mary', 1780, 1872);
INSERT INTO places(name, country) VALUES ('London', 'England'), ('Turin', 'Sardinia');
INSERT INTO letters VALUES (1, 1, 2, 1, '1843-07-10', 4), (2, 2, 1, 2, '1843-07-12', 2), (3, 3, 1, 1, '1840-01-02', 1);
INSERT INTO subjects SELECT id, 'engine' FROM letters WHERE pages > 1;

CREATE VIEW writers AS SELECT p.*, count(l.id) AS sent FROM people p LEFT JOIN letters l ON l.sender = p.id GROUP BY p.id;
CREATE VIEW correspondents AS
  SELECT a.name AS one, b.name AS other, l.day
  FROM letters l JOIN people a ON a.id = l.sender JOIN people b ON b.id = l.receiver
  WHERE a.id IN (SELECT id FROM frequent);
CREATE VIEW frequent AS
  SELECT w.id, w.name FROM writers w
  WHERE w.sent > (SELECT avg(sent) FROM writers) OR w.name IN (SELECT c.one FROM correspondents c);
CREATE TRIGGER page_count AFTER INSERT ON letters WHEN new.pages > 100 BEGIN
  UPDATE letters SET pages = 100 WHERE id = new.id;
END;

SELECT name, sent FROM writers ORDER BY sent DESC, name;
SELECT f.name, count(*) FROM frequent f JOIN letters l ON l.sender = f.id GROUP BY f.name HAVING count(*) > 0;
SELECT country, count(*) FROM places GROUP BY country;
