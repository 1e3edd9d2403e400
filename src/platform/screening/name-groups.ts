import { variantMap } from './word-tables.ts';

/**
 * Given names and a few family names: spellings, short forms and forms in other languages of one name per line.
 * Words of different lines are different names, however much alike their letters are.
 */
export const NAME_GROUPS = variantMap(`
muhammad: mohammed, mohamed, mohammad, mohamad, muhammed, muhamad, mahomed, mehmet, mohamet, mahamed, magomed, mukhammad, mokhammad, mohd, md, muhamed, mamadou, muxammad, maxamed, mohamud, mohammod, muhammet, mamed, mahamadou, mohamadou
ahmad: ahmed, ahmet, akhmed, akhmad, achmad, ahmadu, axmed, ahamed, akhmat, amadou
hussein: husayn, hussain, hossein, hosein, husain, hussayn, husein, hussien, huseyin, khusein, khuseyn, hossain, housein, hocine, xuseen, houcine, huseyn, khosseyn, hoseyn, hosayn, hussin
hassan: hasan, hassane, khasan, khassan, hacen, xasan, hasen, hasane
yusuf: youssef, yousef, yousuf, yusef, yusif, youssouf, iusuf, yosef, yossef, yosif, yusup, yuusuf, youcef, yousif, yousaf, yussuf, yusof
ibrahim: ebrahim, ibragim, brahim, ibrahima, ibraahim, ebraheem, ibraheem, brahimi
sulayman: suleiman, soleiman, suleyman, souleymane, sulaiman, soliman, saleban, soleyman, sliman, slimane, solayman
ismail: ismael, esmail, esmaeil, ismayil, ismaeel, ismaciil, ismaiil, smail, esmaeel
osama: usama, oussama
omar: umar, omer, umer, oumar, cumar, amor, oumarou
uthman: othman, osman, usman, ousmane, uthmaan, cismaan, cusmaan, otman, usmon, osmane
khalid: khaled, halid, halit, khalide
said: saeed, sayid, saied, seyid, saiid, siciid, saciid, saed, sayeed, saeid
sayyid: sayed, seyed, syed, seyyed, sayyed, sidi, sayad, said-ahmad
qasim: kassem, qassem, kasim, qasem, qassim, ghasem, kasem, gasem, ghassem, belkacem, belgacem, belkassem, gasim, kacem, qaseem
mahmud: mahmoud, mahmood, makhmud, mehmood, mahmut, maxamuud, mehmud, mahmod, mamoud
mustafa: mostafa, moustafa, moustapha, mustapha, mostapha, mustafo, mostefa
abdullah: abdallah, abdulla, abdoullah, abdellah, abdollah, abdulah, abdalla, abdoulaye, cabdullaahi, abdullahi, abdulloh, abdillah, abdoulahi
rahman: rehman, rakhman, rachman, rahmaan
daud: dawood, dawud, davud, dawoud, daauud, daoud, dawit
musa: moussa, mousa, moosa, muuse, mose
isa: issa, eisa, eissa, essa, ciise
yahya: yehia, yahia, yehya, yaxye, yahyaa, yihya
aisha: aicha, ayesha, aysha, aishah
fatima: fatimah, fatma, fatemeh, fatimeh, fatoumata
ali: aly, alii, cali, aliy
sergey: sergei, serguei, serhiy, serhii, siarhei, syarhey, sergej, seryozha, sergio, serge, serhij, sergiy, sergii, sergiu, sergejs, sergios
aleksandr: alexander, oleksandr, aliaksandr, alexandr, aleksander, iskander, alex, sasha, sascha, sashko, alexandre, aleksandar, alexandros, shura, alec, sandy, oleks, olexander, olexandr
aleksey: alexei, alexey, aleksei, oleksiy, oleksii, aliaksei, alexis, alyosha, lyosha, oleksi
dmitry: dmitri, dmitriy, dmitrii, dmytro, dzmitry, dimitri, dimitry, dima, mitya, dimitrios, dmitrij, dmitro, dimitris, dimitar
mikhail: mykhailo, mikhael, mihail, mikhaylo, michail, mikail, michael, misha, mike, mick, michal, mihai, mihaly, mykhaylo, mychajlo, mikael, mikko, mikayel, micha, mihajlo, mihailo, mickey, mikhalis, michalis, mihails
nikolay: nikolai, mykola, mikalai, nicolai, nikolaj, nicholas, kolya, nick, nikolaos, nikos, nicola, mikolaj, nicolae, nikola, miklos, niko, mikolas, mykolai, nikolajs, nicky, kolia
vladimir: volodymyr, uladzimir, wladimir, vladymyr, vova, volodya, wolodymyr, volodimir, vladimirs
yevgeny: evgeny, evgeniy, evgenii, yevgeniy, yevhen, evgeni, yauhen, jewgeni, eugene, zhenya, eugen, eugenio, evgenij, yevhenii, yevhenij, yevgeni, evgenios
andrey: andrei, andriy, andrii, andrej, andrzej, andrew, ondrej, andro, andy, drew, andryusha
yury: yuri, iurii, yuriy, yurii, juri, iouri, yuriya, jurij, yurko, yura, iury, jurijs
ivan: vanya, ivo, iwan, ioan, jovan, yohannes
pyotr: petr, petro, piotr, peter, petya, petros, petar, petru, pete, petter, peder, piers, petri, per, petrus, peteris
pavel: pavlo, paval, pawel, paul, pasha, pavlos, pal, paulus, pauls, paavo, pavels, poul
viktor: victor, viktar, wiktor, vitya, vittorio, viktors, victors
vasily: vasiliy, vasilii, vasyl, vasili, wassili, vasil, basil, vasya, vasilis, vasilios, wasyl, vassilis, vasile, vasilij, vasilijs, vassil
grigory: grigoriy, grigori, gregory, hryhoriy, ryhor, grigorii, hryhorii, grisha, hryhorij, gregor, greg, grigorios, grzegorz, grigorij
konstantin: constantin, kostyantyn, kanstantsin, konstantinos, kostya, costas, kostas, kostiantyn, constantine, constantinos, dinos
anatoly: anatoliy, anatolii, anatol, anatoli
igor: ihor, ihar
oleg: oleh, aleh
yelena: elena, olena, alena, helen, helena, lena, elen, helene, eleni, alyona
yekaterina: ekaterina, kateryna, katerina, jekaterina, katya, catherine, katherine, katharina, katarina, kate, katie, kathy, caterina, katrin, catarina, cathy, kat, aikaterini, ekaterini
natalya: natalia, nataliya, nataliia, nataly, natasha, natalie, nathalie, natali
yulia: yuliya, julia, iuliia, iuliya, julie, giulia, juliya, iulia, yuliia, juliette
georgy: georgiy, georgi, georgii, heorhiy, georgios, yiorgos, george, georg, georges, giorgi, jurgis, heorhii, georgij, gosha, giorgos, gheorghe
maksim: maxim, maksym, maxime, max, massimo, maksims, maximus
stepan: stefan, stephan, stipan, stephen, steven, steve, stephane, stefanos, stjepan, steffen, stepans
gennady: gennadiy, gennadi, gennadii, hennadiy, genadi, gennadij, gena
arkady: arkadiy, arkadii, arkadi, arkadij, arkadiusz
john: jon, johnny, jack, johnnie
kim: gim
lee: yi, ri, rhee
park: pak, bak
choi: choe
jung: jeong, chong, chung
jang: chang
kang: gang
yun: yoon
im: lim, rim
an: ahn
oh
ryu: yu, yoo
no: roh, ro
gaddafi: qadhafi, kadafi, kaddafi, qaddafi, khadafy, gadhafi, qadhdhafi, elkaddafi, ghaddafi
benjamin: ben, binyamin, benyamin, benny, benji, veniamin, beniamino, binyomin
robert: bob, rob, bobby, robbie, robby
william: bill, will, billy, liam, guglielmo, willy, guilherme, willie, vilhelm
richard: dick, rick, rich, ricky, richie, ryszard, rikard
james: jim, jimmy, jamie, jacobo, iago, jimbo
edward: ed, eddie, eduard, edoardo, ted, teddy, ned, edvard, eddy, edouard
thomas: tom, tomas, tommaso, tommy, tomasz, thom, tuomas, foma, toma, tomaso
charles: chuck, charlie, charly, karol, karoly, charley, kalle
daniel: dan, danny, daniil, danylo, danil, danilo, daniele, danila, danyal, danial, dani
anthony: tony, anton, antony, antoni, antonin, antonios, antal, anthonis
joshua: josh, yehoshua
matthew: matt, mathew, mathieu, matthieu, mateusz, matvey, matej, mateus, mat, matthijs, matti
christopher: chris, christoph, cristobal, christophe, kristoffer, krzysztof, kit, cristoforo, kristof, topher
samuel: sam, sammy, samuele, shmuel
kenneth: ken, kenny
timothy: tim, timofey, tymofiy, timo, timoteo, timmy
elizabeth: liz, elisabeth, yelizaveta, elizaveta, betty, beth, lizzie, eliza, elisabetta, elspeth, bess, lisa, elsa, ilse, elisaveta, lisbeth, betsy, liza, yelysaveta, erzsebet, alzbeta, elzbieta
margaret: maggie, meg, peggy, greta, margherita, margot, maggy, margareta, gretchen, margarete, malgorzata, marge
susan: sue, susanna, suzanne, susana, zuzana, susie, zsuzsanna
ronald: ron, ronnie, ronny, ronaldo
philip: phillip, filip, felipe, filippo, philippe, phil, fillip, filipp
frederick: fred, frederic, frederik, freddy, frederico, freddie
lawrence: larry, laurence, lorenz, laurentius, lavrentiy
maria: marie, mariya, mariia, masha, maryia, marija
yaqub: yakub, yaqoub, yacoub, yakoub, yaqoob, yakup, yaqob
ishaq: eshaq, ishak, iskhak, eshagh
karim: kareem, krim, kerim, karem
rahim: raheem, rakhim
hamid: hameed, hamed, khamid, hamit
hamad: hamd, hammad
majid: majeed, majed, medjid, madjid, maged
rashid: rasheed, rachid, rashed, rached, rachide, raschid
rashad: reshad, rashaad, rachad
rushdi: roshdi, rochdi, rushdy
salim: salem, saleem, selim, slim, saalim
saleh: salih, salleh, saalax
salman: salmaan, selman
nasir: nasser, naser, nassir, nacer
nazir: nazeer, nadhir, nadeer
jamal: gamal, djamel, jamel, djamal, jamaal, cemal
kamal: kamel, kemal, kamil, kameel
jamil: jameel, djamil, gamil, cemil
jamila: djamila, gamila, jameela
adil: adel, adeel, aadil
asad: assad, asaad
saad: sacad
saud: soud, saood
arif: aref, aarif
atif: atef, aatif
asif: asef, assef
aziz: azeez, azez
latif: lateef
bashir: basheer, bachir, bashiir, beshir
bashar: bachar
walid: waleed, oualid
tariq: tarek, tarik, tareq, taariq
tahir: taher, tahar
zahid: zahed, zaahid
zahir: zaher, dhahir
shahid: chahid, shaheed, shaahid
sajid: sajed, saajid
hafiz: hafez, hafeez
faisal: faysal, faycal, feisal, faical
fazal: fazl, fadl, fazel
fahd: fahad
farid: fareed
faruq: farouk, farooq, farouq, faruk
habib: habeeb
hadi: hady
haidar: haydar, haider, hayder, heydar
hamza: xamse, hamzah
haris: harith, hareth
idris: driss, idriss, edris
imran: emran, omran
iqbal: eqbal
jabir: jaber, djaber
jafar: jaafar, djafar, cafer, djaafar, jaffar
junaid: junayd, jounaid
luqman: lokman, loqman
mansur: mansour, mansoor, mansor
marwan: marouane, merouane
masud: masood, massoud, masoud, mesut, messaoud
mubarak: mobarak, moubarak
munir: mounir, muneer
murad: mourad, morad, murat
nabil: nabeel
naim: naeem, naiim
najib: najeeb, nadjib, nagib
nadim: nadeem
nawaf: nawwaf
nur: noor, nour
qadir: kader, qader, kadir, kadhir, qadeer, ghader
qais: qays, kais
rafiq: rafik, rafeeq
ramadan: ramazan, ramzan, ramadhan, romdhane
rauf: raouf, raoof
reza: rida, ridha, reda, rza
riyad: riad, riyadh, riaz, riyaz
sabir: saber, sabeer
samir: sameer, samiir
samira: sameera
sharif: cherif, shareef, charif, sherif, sharef, chrif
shakir: chaker, shaker
shakil: shakeel, chakil
siddiq: sadiq, sadik, sadeq, seddik, siddik, sadegh
suhail: sohail, souhail, suhayl, soheil
sultan: soltan
tawfiq: toufik, tawfik, taufiq, tevfik, toufiq, tewfik
turki
ubayd: obeid, ubaid, obaid, oubeid
umair: umayr, omair, oumair
wasim: waseem, wassim, ouassim
yasir: yasser, yassir, yaser, yacer
yasin: yassin, yassine, yacine, yaseen, iasin
yunus: younes, younis, yunis, younus, yonus, iunus
zafar: zaffar, dhafer, zafer
zaid: zayd, zeid, zeyd
zakariya: zakaria, zakaryah, zakariyya, zekeriya
zubair: zubayr, zoubair, zoubeir, zobair
ziyad: ziad, zeyad
amir: ameer, emir, aamir
ammar: ammaar
amr: amro, amru
amin: ameen, amine, emin
anwar: anouar, anwer, enver, anvar
ashraf: achraf, eshref
ayman: aymen, aiman
ayyub: ayoub, ayub, ayoob, eyup, ayyoub, ayob
badr: bader
bakr: bakar, bakir, baker, beker, bekr
bilal: belal, billal
basim: bassem, basem, bassim
bassam: bessam
ghazi: ghazy
ghulam: gholam, gulam, golam
hakim: hakeem, hakem
haroun: harun, haroon
hashim: hashem, hachem, haashim, hachim
hazem: hazim
hilal: helal
hisham: hicham, hesham, hishaam
husam: hossam, hussam, housam
ihsan: ehsan, ehsaan
ilyas: elias, ilias, elyas, iliyas
imad: emad, imed, imaad
jalal: djalal, jallal, galal, celal
jawad: javad, djawad, cevat
jassim: jasim, jassem, jasem
kazim: kadhim, kazem, kathim, kadhem
khalil: khaleel, halil
khamis: khamees
lutfi: lotfi, lutfy
mahdi: mehdi, mahdy, mehdy
mahir: maher
malik: malek, maalik
musab: mosab, mossab, mousab, musaab
nidal: nidhal
nizar: nezar
qusay: qusai, koussay
raed: raid
saddam: sadam
saif: seif, sayf, sayef
sami: samy
shakib: chakib
shawkat: shaukat, sevket
talal: tallal
usamah
wael: wail, ouael
yazid: yazeed
maryam: mariam, miriam, meryem, maryem
zaynab: zainab, zeinab, zineb, zeynep, zeynab
khadija: khadijah, hatice, khadidja
zahra: zohra, zehra
layla: leila, laila, leyla
samia
saima
salma: selma
nadia: nadiya, nadya
rabia: rabiah
sana: sanaa
huda: houda, hoda
iman: imane, eman
farah
asma: asmaa
amina: aminah, amineh, emine
halima: haleema
latifa: latifah
rashida: rachida
saida: saeeda
karima: kareema
habiba
munira: mounira
nabila: nabeela
farida: fareeda
aleksandra: alexandra, oleksandra
antonina: antonia, tonia
anastasia: anastasiya, nastya, anastasiia
artem: artyom, artiom, artemiy
boris: borys, barys
bohdan: bogdan
denis: denys, dennis, dzianis
yegor: egor, yehor
yevgenia: evgenia, eugenia, yevheniia
fyodor: fedor, theodore, teodor, fedir, theodor, theodoros
galina: halyna, galya
ilya: ilia, illia, illya, iliya, ilja
irina: iryna, irena, irene, ira
kirill: kyrylo, kyril, cyril, kiryl, kirilo
ksenia: kseniya, oksana, xenia, oxana, kseniia
larisa: larysa, larissa
leonid: lyonya, leonidas
lev: leo, lew
lyubov: liubov, lubov
lyudmila: ludmila, liudmyla, lyuda, ludmilla, lyudmyla
marina: maryna
michaela: mikaela, michelle
nadezhda: nadja, nadezda
nikita: mykyta
olga: olha, olya, olia, helga
polina
roman
ruslan
semyon: semen, simon, simeon, shimon, symon, simone, shimoun, simao, semion, szymon, siman
svetlana: svitlana, sveta, sviatlana, swetlana
tatiana: tatyana, tanya, tetiana, tetyana, tatsiana, tania, tatjana, tanja
vadim: vadym
valentin: valentyn, valentino
valentina: valentyna
valery: valeriy, valerii, valeri, valerij, valerio
viktoria: victoria, viktoriya, vika, viktoriia
vitaly: vitaliy, vitalii, vitali, vitalij, vital
vladislav: vlad, vladyslav, uladzislau, wladyslaw, ladislav, laszlo, vladislaus
vyacheslav: viacheslav, slava, viatcheslav, vjaceslav, wjatscheslaw, viatscheslav, viacheslau
yaroslav: jaroslav, iaroslav, jaroslaw
zinaida: zina
zoya: zoia
roberta
wilhelmina: wilma
edwin
edgar
charlotte: lotte
mark: marc, marko, marcu
luke: lucas, luca, lukas, lukasz, luka, luc
bartholomew: bart, bartolomeo, bartosz
donald: don, donnie, donny
friedrich: fritz
francis: frank, ferenc, frantisek, franciszek, frankie
frances: fanny, francoise
jesus: chuy
josephine: josefina, giuseppina
raymond: raimondo, raimund, ray
raphael: rafael, raffaele, rafal
raul: raoul
rudolph: rudolf, rodolfo, rudi, rudy
henry: hank, harry, henryk, henrique, jindrich, hal
henrietta: henriette, enriqueta
herman: hermann, ermanno
ignatius: inigo, ignazio, ignace, ignat
louis: lewis, lou, louie, ludovico, lodewijk, ludovic
louise: luisa, louisa
emmanuel: immanuel, manolis, emanuel, emmanouil, manu, emanuele, manoel, manos
alfred: alfredo, fredo
albert: alberto, adalbert, bertie
alphonse: alfonso, alphonso, alfons
arthur: arturo, artur, art, arturas
arnold: arnaldo, arnaud
august: augusto, augustus
bernard: bernardo, bernhard, bernd, bernie
barbara: barb, babs, barbora, varvara, basia
bridget: brigitte, birgit
cecilia: cecile, cecily
christian: cristian, kristian, christiaan
christina: cristina, kristina, christine, chrissie, kristine, tina, krystyna, hristina
christos: hristos, khristos, xristos, christo, hristo
clement: clemente, klement
conrad: konrad, kurt, corrado, curt
dolores: lola
dominic: dominik, dominique, domenico, domingo
eleanor: leonor, eleonora, nora, ellie, eleonore
ellen
emil: emilio, emile
emilia: emily, emilie
ernest: ernesto, ernst, ernie, arnost
eric: erik, erich, eirik, erick
ferdinand: fernand
florence: fiorenza
gabriel: gabriele, gavriil, gabe, gavril, havryil
gabriela: gabriella, gabrielle
gerald: jerry, gerry, gert, gherardo
geoffrey: jeffrey, jeff, geoff, goffredo
godfrey: gottfried
gertrude: trudy
gilbert: gilberto, gil
gustav: gustavo, gustave, gustaf
harold: harald, haroldo
hubert: huberto, uberto
hugh: ugo, hugues
irving
jerome: geronimo, jeronimo, gerolamo
jennifer: jenny, jen
jessica: jess, jessie
joan: giovanna, ivana, jana, joanne, yana, jeannette
joaquin: joachim, gioacchino, yoakim, quino
jonathan: jonathon, yonatan, ionatan
judith: judy, giuditta, yehudit
julian: julien, giuliano, julianus, yulian
julius: julio, giulio, jules, yuliy
kevin
brian: bryan
justin: giustino
laura: laure, lora, lauren
leonard: leonardo, len, lenny, leonhard
leopold: leopoldo
magdalena: magda, madeleine
martha: marta
martin: martino, marten, marton
maurice: mauricio, maurizio, moritz, morris
megan
melissa
natan: nathan, nathaniel, nate
deborah: debbie, deb, debora
oscar: oskar
oswald: osvaldo
otto
patrick: patricio, pat, paddy, patrizio, padraig
patricia: patty, trish, patrizia
paula: paola, pauline, paulina
ralph: ralf
rachel: raquel, rahel
rebecca: becky, rivka, rebeca
rose: rosa, rosie
rosemary
roger: rogelio, ruggero, rudiger
roland: rolando, orlando
samantha
sebastian: sebastiano, sebastien, bastian
sigmund: siegmund, zygmunt, sigismund
sophia: sofia, sophie, sofiya, sofya, sonia, sonya, zofia
sylvia: silvia
sylvester: silvestre, silvester
tobias: toby, tobiah
theresa: teresa, terry, therese, tereza, tess
ursula: ursulina
vincent: vince, vincenc, vincas
walter: gualtiero, wally, walther, valter, gautier
xavier: javier, saverio, xaver
zbigniew: zbyszek
wojciech: vojtech
waclaw: vaclav, wenceslas, wenzel
agnes: ines, agnieszka, inez, agnese
alice: alicia, alisa, alise
alan: allan, allen, alain
amy: aimee, amata
angela: angelica, angelika
anna: ann, anne, ana, hanna, hannah, annie, ania, anya, hana, annika, channah, ganna
ashley
brandon: brendan
caroline: carolina, karolina, carol, carolyn
cynthia
diana: diane, dianne
dorothy: dorothea, dorota, dot, doroteya
emma
evelyn
gary
gloria
jason
jordan
karen: karin
keith
linda
nicole
ryan
sandra
scott
sarah: sara, sally, sarai
sharon
shirley
stephanie: stefania, stefanie, stepanka
tyler
ezekiel: yechezkel, yehezkel, ezequiel
ezra: esdras
isaiah: yeshayahu
jeremiah: yirmiyahu, jeremy, jeremias, yermiyahu, jeremie
joel: yoel
mordechai: mordekhai
nehemiah: nechemia
reuben: reuven, ruben, rubin
tzvi: zvi, hersh
menachem: menahem
chaim: haim, hayim, hyman
gad: gadi
guy
gokhan: goekhan
orhan
erhan
emre
ercan
erkan
hakan
serkan
serdar
sinan
ozan
okan
volkan
furkan
mukesh
mahesh
ramesh
rakesh
suresh
naresh
dinesh
ganesh
rajesh
mahendra: mahinder
narendra: narinder
rajendra: rajinder
surendra: surinder
kiran
karuna
karan
arun
aruna
anil
sunil
sanjay: sanjai
vijay
ajay
amit
sumit
rohit
mohit
ravi
rajiv: rajeev
sanjeev: sanjiv
sunita
kavita
savita
kazuo
kazuko
kazuya
hideo
hideko
hideki
haruo
haruko
haruki
masao
masako
masaru
masaki
yoshio
yoshiko
takao
takako
takashi
takeshi
satoshi
hiroshi
hiroko
kenji
kenichi
koji
keiko
yoko
yuko
akiko
aiko
michio
michiko
akira
akio
wichit: vichit, wijit
wichian: vichian
wichai: vichai
somchai
somsak
adewale
adebola
adebayo
adeola
oluwaseun
kofi
kwame: kwami
kojo: kwadwo
vasco
torbjorn: torbjoern
bjorn
geraldine
thanasis: athanasios, thanos, athanasius, afanasy
theofilos
stavros
spyros: spyridon, spiridon
panagiotis: panayiotis, panos
evangelos: vangelis
gerasimos
apostolos
ostap
orest
taras
zurab
giga
levan
lasha
vakhtang
tigran
ashot
garik
hovhannes: ovannes
joseph: josef, jozef, joe, josip, osip, iosif
jose: pepe
giuseppe: beppe
abraham: avraham, avram, abram
solomon: shlomo, salomon
moses: moshe, moise
david: dave, davide, davit, dovid, dawid, davyd
jacob: jakob, yaakov, yakov, iakov, jakov, jake
jacques
giacomo
isaac: yitzhak, izhak, isak, isaak
jonah: jonas, yona
elijah: eliyahu
zachary: zacharias, zachariah, zach, zack
aaron: aharon, aron
juan
joao
giovanni: gianni
johann: johannes, hans, johan
jan
jean
ioannis: yannis, giannis, jannis, yiannis
janos
sean
ian
alejandro
alessandro: sandro
alejandra
alessandra
andreas: andre, andres
antonio: toni, tonino
antoine
jorge
giorgio
jerzy
jiri
gregorio
miguel
michel
michele
nicolas: nico
niklas: klaus, claus
pablo
paolo
paulo
pedro
pietro
pierre
pieter
boutros: butrus
esteban
etienne
stefano
istvan
carlos
karl: carl, karel
carlo
jaime
diego
santiago
tiago
francisco: paco, pancho, kiko
francesco: ciccio
franz: frans
francois
francesca
francisca
enrique: quique, kike
heinrich: heinz
henri
enrico
hendrik: henrik
luis: luiz
luigi: gigi
ludwig: ludvik
eduardo
guillermo
wilhelm: willi
guillaume
willem: wim
ricardo
riccardo
roberto
fernando: nando
hernando: hernan
vincenzo: enzo
vicente
manuel: manolo, manny
ignacio: nacho
juana
joanna: johanna, ioanna
jane: janet
jeanne
isabel: isabelle, isabella
nancy
anita
mary: molly, polly
marco
marcos
markus: marcus
mateo
matteo
matthias: mattias, matias
ramon
lorenzo
laurent
lars
federico
catalina
kathleen
hugo
guido
gerard: gerardo, gerhard
margarita: rita
marguerite
`);
